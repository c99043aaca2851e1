/* SPDX-License-Identifier: MIT
 *
 * What may be wrong with messages that have headers.
 */
#include "cli/explain/rows.h"

const cli_explanation cli_explained_headers[] = {
    {TW_DIAGNOSTIC_MISSING_HEADER,
     "The server dropped special tokens: markers are gone, their words "
     "stayed.",
     "printf 'analysisNeed weather.assistantcommentary "
     "to=functions.get_weatherjson{\"city\":\"Oslo\"}' | toolwire check -f "
     "harmony",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_START,
     "The server dropped a special token, or the model forgot it.",
     "printf '<|channel|>commentary to=functions.f "
     "<|constrain|>json<|message|>{\"a\":1}<|call|>commentary<|channel|>"
     "commentary to=functions.g <|constrain|>json<|message|>{}<|call|>' | "
     "toolwire check -f harmony",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_END,
     "The model began its next message without ending the last.",
     "printf "
     "'<|channel|>analysis<|message|>Hm<|start|>assistant<|channel|>final<|"
     "message|>Yes.<|return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_MESSAGE,
     "The server dropped a special token, or the model forgot it.",
     "printf '<|channel|>final{\"a\":[1]}<|return|>' | toolwire check -f "
     "harmony",
     cli_remedy_markers},
    {TW_DIAGNOSTIC_MISSING_ROLE,
     "The model began a message without saying whose it is.",
     "printf "
     "'<|channel|>analysis<|message|>Hm<|end|><|start|><|channel|>final<|"
     "message|>Yes.<|return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_CHANNEL,
     "The model began a message without a channel, as in its early templates.",
     "printf '<|message|>Yes.<|return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MISSING_TO, "The model named the tool and forgot `to=`.",
     "printf '<|channel|>commentary functions.f<|message|>{\"a\":1}<|call|>' "
     "| toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_STRAY_TERMINATOR,
     "The model wrote the marker that ends a call inside an argument.",
     "printf '<|channel|>commentary to=functions.f "
     "<|constrain|>json<|message|>{\"a\":\"<|call|> x\"}<|call|>' | toolwire "
     "check -f harmony",
     "Look at the value: what it says of the marker is a guess."},
    {TW_DIAGNOSTIC_STRAY_TEXT,
     "The model wrote something between two messages.",
     "printf '<|channel|>analysis<|message|>Hm<|end|> 3 "
     "<|start|>assistant<|channel|>final<|message|>Yes.<|return|>' | toolwire "
     "check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_BLANK_BETWEEN,
     "The model wrote a line feed between two messages.",
     "printf "
     "'<|channel|>analysis<|message|>Hm<|end|>\\n<|start|>assistant<|channel|>"
     "final<|message|>Yes.<|return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_TRUNCATED_HEADER, "The output ended inside a header.",
     "printf '<|channel|>analysis<|message|>Hm<|end|><|start|>assist' | "
     "toolwire check -f harmony",
     cli_remedy_tokens},
    {TW_DIAGNOSTIC_REPEATED_START,
     "The model repeated a marker, often one that the prompt ends with.",
     "printf "
     "'<|start|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>' "
     "| toolwire check -f harmony",
     "If the prompt ends with the marker, give its end with --prompt-tail."},
    {TW_DIAGNOSTIC_REPEATED_MESSAGE,
     "The model repeated a marker, often one that the prompt ends with.",
     "printf '<|channel|>final<|message|><|message|>Yes.<|return|>' | "
     "toolwire check -f harmony",
     "If the prompt ends with the marker, give its end with --prompt-tail."},
    {TW_DIAGNOSTIC_REPEATED_RECIPIENT,
     "The model wrote the recipient in both places where it may stand.",
     "printf ' to=functions.f<|channel|>commentary to=functions.f "
     "json<|message|>{\"a\":1}<|call|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_MARKER_IN_BODY, "The model wrote of its own markers.",
     "printf '<|channel|>final<|message|>It is <|channel|>.<|return|>' | "
     "toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ODD_TERMINATOR,
     "The model ended a call as it ends a message.",
     "printf '<|channel|>commentary to=functions.f "
     "<|constrain|>json<|message|>{\"a\":1}<|end|>' | toolwire check -f "
     "harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ODD_ORDER,
     "The model wrote the parts of a header in another order.",
     "printf ' to=functions.f "
     "<|constrain|>json<|channel|>commentary<|message|>{\"a\":1}<|call|>' | "
     "toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ODD_CHANNEL,
     "The model wrote the channel otherwise than it was trained.",
     "printf '<|channel|>Final<|message|>Yes.<|return|>' | toolwire check -f "
     "harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_ODD_CONTENT_TYPE,
     "The model wrote more words behind the recipient than there is a place "
     "for.",
     "printf '<|channel|>commentary to=functions.f <|constrain|>json "
     "code<|message|>{\"a\":1}<|call|>' | toolwire check -f harmony",
     "If the tool's name has a blank, declare it: --tools FILE."},
    {TW_DIAGNOSTIC_CHANNEL_AS_ROLE,
     "The model put the channel where the role belongs.",
     "printf "
     "'<|channel|>analysis<|message|>Hm<|end|><|start|>final<|message|>Yes.<|"
     "return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_UNKNOWN_CHANNEL, "The model made a channel up.",
     "printf '<|channel|>notes<|message|>Yes.<|return|>' | toolwire check -f "
     "harmony",
     "Look whether the text is fit to be shown: it may be reasoning."},
    {TW_DIAGNOSTIC_EMPTY_CHANNEL, "The model left the channel empty.",
     "printf '<|channel|><|message|>Yes.<|return|>' | toolwire check -f "
     "harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_UNKNOWN_ROLE, "The model made a role up.",
     "printf "
     "'<|channel|>analysis<|message|>Hm<|end|><|start|>helper<|channel|>final<"
     "|message|>Yes.<|return|>' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_NOT_A_TOOL,
     "The model addressed an author of the conversation.",
     "printf '<|channel|>final to=user<|message|>Yes.<|return|>' | toolwire "
     "check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_NAME_REPAIRED,
     "A recipient was glued to its neighbours, or a namespace stands in front "
     "of a declared name.",
     "printf '<|channel|>commentary to=functions.f\\342\\200\\213 "
     "<|constrain|>json<|message|>{\"a\":1}<|call|>' | toolwire check -f "
     "harmony",
     "Look at the name before the call runs; declare the tools with --tools "
     "FILE."},
    {TW_DIAGNOSTIC_NAME_WITH_BLANK,
     "A tool was declared with a blank in its name.",
     "echo '[\"web search\"]' >tools.json; printf '<|channel|>commentary "
     "to=functions.web search <|constrain|>json<|message|>{\"a\":1}<|call|>' "
     "| toolwire check -f harmony --tools tools.json",
     "Give the tool a name without blanks."},
    {TW_DIAGNOSTIC_BARE_RECIPIENT,
     "The model left out the namespace of the tool.",
     "printf '<|channel|>commentary to=f "
     "<|constrain|>json<|message|>{\"a\":1}<|call|>' | toolwire check -f "
     "harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_FOREIGN_MESSAGE,
     "The model made up the answer of its tool, and went on.",
     "printf '<|channel|>commentary to=functions.f "
     "<|constrain|>json<|message|>{\"a\":1}<|call|><|start|>functions.f "
     "to=assistant<|channel|>commentary<|message|>{}<|end|>' | toolwire check "
     "-f harmony",
     "Stop the server at the marker that ends a call: `toolwire formats "
     "FORMAT` names it."},
    {TW_DIAGNOSTIC_PARTIAL_TERMINATOR,
     "The output ended inside the marker that ends a call.",
     "printf '<|channel|>commentary to=functions.f "
     "<|constrain|>json<|message|>{\"a\":1}<|cal' | toolwire check -f harmony",
     cli_remedy_safe},
    {TW_DIAGNOSTIC_STRIPPED_MARKERS,
     "The server dropped the special tokens, and --recover-stripped was "
     "given.",
     "printf 'analysisNeed weather.assistantcommentary "
     "to=functions.get_weatherjson{\"city\":\"Oslo\"}' | toolwire check -f "
     "harmony --recover-stripped",
     cli_remedy_markers},
    {0, NULL, NULL, NULL},
};
