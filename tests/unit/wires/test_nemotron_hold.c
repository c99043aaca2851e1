/* SPDX-License-Identifier: MIT
 *
 * Nemotron: what look-ahead may hold (checks/hold.h).
 */
#include "checks/hold.h"

#define N_CALL "<TOOLCALL>[{\"name\": \"f\", \"arguments\": {}}"
#define N_NEXT N_CALL "]</TOOLCALL>"

static const held near_rows[] = {
    {"junk", "nemotron", 0, 256, N_CALL "]", "", "x", "",
     "</TOOLCALL>" N_NEXT},
    {"junk", "nemotron", 0, 256, N_CALL, "", "x", "", "]</TOOLCALL>" N_NEXT},
    {"comma", "nemotron", 0, 256, N_CALL, ",", " ", "", "]</TOOLCALL>" N_NEXT},
    {"blanks before a call", "nemotron", 0, 256, "Hi", "", " ", "", N_NEXT},
};

Test(hold, nemotron_near)
{
    check_held(near_rows, sizeof near_rows / sizeof *near_rows, HELD_NEAR);
}
