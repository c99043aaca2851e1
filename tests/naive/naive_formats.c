/* SPDX-License-Identifier: MIT
 *
 * Which formats have a second opinion.
 */
#include "naive.h"

#include <string.h>

naive_decoder *naive_of(const char *format)
{
    static const struct {
        const char *format;
        naive_decoder *decoder;
    } rows[] = {
        {"gemma4", naive_gemma4},
        {"harmony", naive_harmony},
        {"hermes", naive_hermes},
        {"nemotron", naive_nemotron},
        {"mistral", naive_mistral},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].format, format) == 0)
            return rows[i].decoder;
    return NULL;
}
