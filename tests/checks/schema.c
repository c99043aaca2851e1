/* SPDX-License-Identifier: MIT
 *
 * What a schema says of a value, as one line of words.
 */
#include "checks/schema.h"

#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "schema/schema.h"

static void add_fault(naive_bytes *words, const tw_schema_fault *fault)
{
    const tw_diagnostic *row = tw_diagnostic_get(fault->code);
    if (words->size > 0) {
        naive_add(words, " ", 1);
    }
    naive_add(words, row->name, strlen(row->name));
    if (fault->missing != NULL) {
        naive_add(words, ":", 1);
        naive_add(words, fault->missing->text, fault->missing->size);
    } else if (fault->where->key != NULL) {
        naive_add(words, "@", 1);
        naive_add(words, fault->where->key, fault->where->key_size);
    }
}

naive_bytes schema_faults(const char *schema, const char *value)
{
    test_memory state = {0};
    const tw_allocator allocator = test_allocator(&state);
    const tw_memory memory = tw_memory_from(&allocator);
    naive_bytes words = {0};
    tw_schema checker;
    tw_tree trees[2];
    tw_schema_init(&checker, &memory);
    for (size_t i = 0; i < 2; i++) {
        const char *text = i == 0 ? schema : value;
        tw_tree_init(&trees[i], &memory);
        cr_assert_eq(tw_tree_read(&trees[i], text, strlen(text), false), TW_OK,
                     "%s", text);
    }
    const bool fits = tw_schema_check(&checker, trees[0].root, trees[1].root);
    cr_expect_not(checker.failed);
    for (size_t i = 0; i < tw_schema_fault_count(&checker); i++) {
        add_fault(&words, tw_schema_fault_at(&checker, i));
    }
    if (fits) {
        naive_add(&words, words.size > 0 ? " fits" : "fits",
                  words.size > 0 ? 5 : 4);
    }
    naive_add(&words, "", 1);
    tw_schema_free(&checker);
    tw_tree_free(&trees[0]);
    tw_tree_free(&trees[1]);
    cr_expect_eq(state.live, 0, "%zu blocks are kept", state.live);
    return words;
}
