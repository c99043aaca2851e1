/* SPDX-License-Identifier: MIT
 *
 * Values of Gemma's notation that have no quotes.
 */
#ifndef TOOLWIRE_FORMATS_BODY_GEMMA_SCALAR_H
#define TOOLWIRE_FORMATS_BODY_GEMMA_SCALAR_H

#include <stdint.h>

typedef enum tw_gemma_scalar {
    TW_GEMMA_NO_SCALAR,
    TW_GEMMA_NUMBER,
    TW_GEMMA_TRUE,
    TW_GEMMA_FALSE,
    TW_GEMMA_NULL,
    TW_GEMMA_PYTHON_TRUE,
    TW_GEMMA_PYTHON_FALSE,
    TW_GEMMA_PYTHON_NULL
} tw_gemma_scalar;

/* grammar/gemma.re: what all of [at, limit) is. */
tw_gemma_scalar tw_gemma_scan_scalar(const uint8_t *at, const uint8_t *limit);

#endif
