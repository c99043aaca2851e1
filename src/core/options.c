/* SPDX-License-Identifier: MIT
 *
 * One row for each option of toolwire.h: who takes it, and which values.
 */
#include "core/options.h"

#include <stddef.h>

typedef struct option_row {
    tw_option option;
    int64_t least;
    int64_t most;
    const char *range; /* the message where a value is out of it */
} option_row;

#define FLAG(option)                                 \
    {                                                \
        option, 0, 1, "the value is neither 0 nor 1" \
    }
#define SIZE ((int64_t)1 << 40)

static const option_row rows[] = {
    FLAG(TW_OPTION_STRICT),
    {TW_OPTION_START_REASONING, 0, TW_START_FIND,
     "the value is none of 0, 1 and TW_START_FIND"},
    FLAG(TW_OPTION_CALLS_IN_REASONING),
    FLAG(TW_OPTION_RECOVER_STRIPPED),
    FLAG(TW_OPTION_KEEP_RAW),
    FLAG(TW_OPTION_FRAMING),
    {TW_OPTION_FIRST_CALL, 0, SIZE, "the number is not one from 0 to 2^40"},
    {TW_OPTION_UNTYPED, TW_UNTYPED_STRING, TW_UNTYPED_JSON,
     "the value is no tw_untyped"},
    {TW_OPTION_VALIDATE, TW_VALIDATE_NO, TW_VALIDATE_MEND,
     "the value is no tw_validate"},
    {TW_OPTION_LIMIT_DEPTH, 1, 10000, "the depth is not one from 1 to 10000"},
    {TW_OPTION_LIMIT_NAME, 1, 1000, "the size is not one from 1 to 1000"},
    {TW_OPTION_LIMIT_ARGUMENTS, 1, SIZE, "the size is not one from 1 to 2^40"},
    {TW_OPTION_LIMIT_CALLS, 1, UINT32_MAX - INT64_C(1),
     "the number is not one from 1 to 2^32 - 2"},
    {TW_OPTION_LIMIT_INPUT, 0, INT64_MAX, "the size is negative"},
    FLAG(TW_OPTION_HOLD_CALLS),
    FLAG(TW_OPTION_CUSTOM_FUNCTION),
    {TW_OPTION_CREATED, 0, INT64_MAX, "the time is negative"},
    {TW_OPTION_CHOICE, 0, INT32_MAX,
     "the number is not one from 0 to 2^31 - 1"},
    FLAG(TW_OPTION_JOIN_CHUNKS),
    {TW_OPTION_SSE, 0, 2, "the value is none of 0, 1 and 2"},
    FLAG(TW_OPTION_REASONING_SUMMARY),
    FLAG(TW_OPTION_GENERATION_PROMPT),
    {TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_REJECT, TW_CONTROL_TEXT_BREAK,
     "the value is no tw_control_text"},
    FLAG(TW_OPTION_PYTHON_NUMBERS),
    {TW_OPTION_LOSS, TW_LOSS_POLICY_REPORT, TW_LOSS_POLICY_IGNORE,
     "the value is no tw_loss_policy"},
    FLAG(TW_OPTION_SAMPLED_LAST),
    FLAG(TW_OPTION_SAMPLED_NO_REASONING),
    FLAG(TW_OPTION_SAMPLED_BY_WEIGHT),
    {TW_OPTION_IDS, TW_IDS_KEEP, TW_IDS_MAKE, "the value is no tw_ids_policy"},
    FLAG(TW_OPTION_UNIT_COMPLETION),
    FLAG(TW_OPTION_ARGUMENTS_OBJECT),
};

const char *tw_option_fault(tw_option option, int64_t value)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].option == option) {
            return value >= rows[i].least && value <= rows[i].most
                       ? NULL
                       : rows[i].range;
        }
    }
    return "there is no such option";
}
