/* SPDX-License-Identifier: MIT
 *
 * The remedies that many codes have.
 */
#include "cli/explain/rows.h"

const char cli_remedy_safe[] =
    "None is needed: the reading is safe.  If it comes often, lower the "
    "temperature, or refuse it with --strict.";
const char cli_remedy_none[] = "None is needed: there was no call to run.";
const char cli_remedy_tokens[] = "Raise the token limit (max_tokens) and ask "
                                 "again; what was cut off does not run.";
const char cli_remedy_retry[] = "Do not run it: send the code back as the "
                                "tool's result, and let the model try again.";
const char cli_remedy_markers[] =
    "Keep the special tokens when tokens become text: those with \"token\": "
    "true in `toolwire formats --json`.";
const char cli_remedy_format[] =
    "None is needed.  If all calls are so, `toolwire detect` looks which "
    "format the model writes.";
const char cli_remedy_shape[] =
    "Convert to a shape that has a place for it (`toolwire convert --help` "
    "lists them), or keep the original.  --loss refuse makes an error of it.";
const char cli_remedy_mend[] =
    "Mend the record at the path that the report names.";
const char cli_remedy_same[] = "None is needed: the conversation means the "
                               "same.  --report FILE lists each place.";
