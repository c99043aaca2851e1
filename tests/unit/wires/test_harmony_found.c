/* SPDX-License-Identifier: MIT
 *
 * Harmony: what soups and fuzzing found (checks/found.h).
 */
#include "checks/found.h"

#define GLUED(in_front)                                            \
    "<|channel|>" in_front "commentaryto=functions.f<|message|>{}" \
    "<|call|>"

static const found rows[] = {
    /* A backslash in front of a stripped header waited for what it escapes,
     * which no longer came. */
    {"harmony-stripped",
     "assistant to=functions.f0{}\\assistant to=functions.fanalysis"
     "<|channel|>analysis<|message|>a<|call|>"},
    {"harmony-stripped", "assistant to=functions.f{}\xEF\xBB"
                         "assistantfinal b"},
    /* Half a terminator behind what may have become a stripped header. */
    {"harmony-stripped",
     "assistantcommentary to=functions.fjson{\"a\": 1}assista<|sta"},
    /* Is the text over with the name?  Both are ill-formed UTF-8. */
    {"harmony",
     " to=functions.g 007tool to=\xFF<|start|>\xFF\"a\": 1to=functions.f"
     "\"\\d<|\\'\xE2\x82"},
    {"harmony", "\x0Btruecomment\"a\",}<|call|> to=assistant<|start|>word \xFF"
                "to=functions.f to=\xE2\x82\xE2\x80\x8B\xC2\xA0\xC3"},
    /* A call that a limit refuses may end oddly, too. */
    {"harmony", "<|channel|>commentary to=functions." LONG_NAME
                "<|message|>{\"a\": 1}<|end|>"},
    /* Arguments in doubled braces, and what stands behind arguments. */
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{{\"a\": 1}}"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{{\"a\": 1} }"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{} \xE2\x80"
                "<|call|>"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{}\xE2\x80"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{}\\"},
    {"harmony", "<|channel|>commentary to=functions.f<|message|>{}\x01"
                "<|call|>"},
    {"harmony", "<|channel|>final<|message|>a<|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>"
                "<|start|><|start|><|start|><|start|><|start|><|start|>b"},
    {"harmony", "<|start|>assistant<|start|>a to=functions.f<|message|>{}"},
    /* A character without width in front of a channel with `to=` glued on. */
    {"harmony", GLUED("\xE2\x80\x8B")},
    {"harmony", GLUED("\xE2\x80\x8C")},
    {"harmony", GLUED("\xE2\x80\x8D")},
    {"harmony", GLUED("\xE2\x81\xA0")},
    {"harmony", GLUED("\xEF\xBB\xBF")},
};

Test(regressions, harmony_soups)
{
    check_found(rows, sizeof rows / sizeof *rows);
}
