/* SPDX-License-Identifier: MIT
 *
 * What chat templates inherit from Python: str() of numbers, json.dumps(),
 * strip(), lower() and Jinja's dictsort.
 */
#ifndef TOOLWIRE_MESSAGES_PYTEXT_H
#define TOOLWIRE_MESSAGES_PYTEXT_H

#include "json/dump.h"

/* What Python 3 prints of the JSON number |text| when it has read it: an int
 * in full, a float as the shortest text that reads back as the same double.
 * false: no memory. */
bool tw_python_number(tw_buffer *out, const tw_memory *memory,
                      const char *text, size_t size);

/* The double that Python reads in the text of a number. */
double tw_python_double(const char *text, size_t size);
/* repr() of a double: the shortest text that reads back as it.  false: no
 * memory. */
bool tw_python_float(tw_buffer *out, const tw_memory *memory, double number);
/* '%.Nf' of a double, exact; no more than TW_PYTHON_PLACES places.  false: no
 * memory. */
enum { TW_PYTHON_PLACES = 60 };
bool tw_python_fixed(tw_buffer *out, const tw_memory *memory, double number,
                     unsigned places);
/* format(number, '.N') of a double with so many digits, at least one and no
 * more than TW_PYTHON_DIGITS.  false: no memory. */
enum { TW_PYTHON_DIGITS = 17 };
bool tw_python_rounded(tw_buffer *out, const tw_memory *memory, double number,
                       int digits);

/* A value laid out as |style| says; numbers keep their spelling unless
 * |python_numbers|.  json.dumps(value, ensure_ascii=False) is
 * tw_dump_spaced.  false: no memory. */
bool tw_python_dump(tw_buffer *out, const tw_memory *memory,
                    const tw_value *value, const tw_dump_style *style,
                    bool python_numbers);

/* repr(value): of strings, all that is not ASCII stands as it is, and half of
 * a surrogate pair too.  The quotes are those that Python takes, or always
 * the same. */
extern const tw_dump_style tw_python_repr;
extern const tw_dump_style tw_python_repr_single;
extern const tw_dump_style tw_python_repr_double;
/* Has the literal an escape that is none in JSON? */
bool tw_python_has_hex(const uint8_t *text, size_t size);

/* str.strip(): Unicode's blanks at both ends. */
void tw_python_strip(const char **data, size_t *size);

/* The members of an object, ordered by key.lower() (Jinja's dictsort); of
 * equal ones the first stays first.  |*members| is an array of pointers; NULL
 * (and |*count| 0): no memory, or none. */
bool tw_python_dictsort(const tw_value *object, const tw_memory *memory,
                        const tw_value ***members, size_t *count);
/* tw_python_dictsort() in place of the `count` members of an object that has
 * few, all of them with keys in ASCII; false: it is no such object. */
bool tw_python_sort_few(const tw_value *object, size_t count,
                        const tw_value **members);
void tw_python_dictsort_free(const tw_memory *memory, const tw_value **members,
                             size_t count);

/* From |first| to |last|, each |step|-th code point has its other case |delta|
 * away. */
typedef struct tw_case_row {
    uint32_t first;
    uint32_t last;
    int32_t step;
    int32_t delta;
} tw_case_row;

/* The other case of the code point by sorted rows; itself where it has none.
 */
uint32_t tw_case_of(const tw_case_row *rows, size_t count, uint32_t point);
/* str.lower() of one code point: one, or two. */
size_t tw_python_lower(uint32_t code, uint32_t out[2]);

#endif
