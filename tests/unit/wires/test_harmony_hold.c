/* SPDX-License-Identifier: MIT
 *
 * Harmony: what look-ahead may hold (checks/hold.h).
 */
#include "checks/hold.h"

#define Y_CALL "<|channel|>commentary to=functions.f json<|message|>"
#define UP TW_DIAGNOSTIC_REPAIR_GIVEN_UP

static const held near_rows[] = {
    {"comma", "harmony", UP, 256, Y_CALL "{\"a\": 1", ",", " ", "",
     "}<|call|>"},
    {"good comma", "harmony", UP, 256, Y_CALL "{\"a\": [1", ",", "\t", "",
     "2]}<|call|>"},
    {"header", "harmony", TW_DIAGNOSTIC_MISSING_MESSAGE, 1024, "",
     "<|channel|>commentary to=functions.f", " ", "json",
     "<|message|>{}<|call|>"},
    {"gap", "harmony", TW_DIAGNOSTIC_MISSING_HEADER, 64,
     "<|channel|>analysis<|message|>a<|end|>", "", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"starts", "harmony", 0, 64 * 9, "", "", "<|start|>", "",
     "assistant<|channel|>final<|message|>b"},
    {"start in a header", "harmony", 0, 64, "", "<|start|>", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"start in a header", "harmony", 0, 64, "", "", "x", "",
     "<|start|>assistant<|channel|>final<|message|>b"},
    {"blank gap", "harmony", 0, 64, "<|channel|>analysis<|message|>a<|end|>",
     "", " ", "", "<|start|>assistant<|channel|>final<|message|>b"},
    {"fill", "harmony", 0, 300, "<|channel|>final<|message|>a", "<|start|>",
     "x", "", "<|channel|>final<|message|>b"},
};

Test(hold, harmony_near)
{
    check_held(near_rows, sizeof near_rows / sizeof *near_rows, HELD_NEAR);
}
