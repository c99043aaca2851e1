/* SPDX-License-Identifier: MIT
 *
 * fuzz/toolwire_mutator.h: it stays in its room, leaves the tail alone, and
 * the same seed does the same.
 */
#define TOOLWIRE_MUTATOR_AFL
#define TOOLWIRE_MUTATOR_TAIL 3
#include "../../../fuzz/toolwire_mutator.h"

#include <criterion/criterion.h>

enum { ROOM = 96 };

static const char seed_text[] =
    "Hi <tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1]}}\n";

/* In a block of the exact room, so that a byte too far is seen. */
Test(mutator, stays_in_its_room)
{
    size_t changed = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint8_t *data = malloc(ROOM);
        uint8_t *again = malloc(ROOM);
        size_t size = seed % (sizeof seed_text + 3);
        memset(data, 'x', ROOM);
        memcpy(data, seed_text, size < sizeof seed_text ? size : 0);
        memcpy(data + size, "END", 3);
        size += 3;
        memcpy(again, data, ROOM);
        const size_t after =
            toolwire_mutate_input(data, size, ROOM, seed * 77);
        const size_t other =
            toolwire_mutate_input(again, size, ROOM, seed * 77);
        cr_assert_leq(after, ROOM);
        cr_assert_geq(after, 3);
        cr_assert_eq(memcmp(data + after - 3, "END", 3), 0);
        cr_assert_eq(after, other);
        cr_assert_eq(memcmp(data, again, after), 0);
        changed += after != size;
        free(data);
        free(again);
    }
    cr_assert_gt(changed, 10000);
}

/* Each seed is one of its own, and no more is written than there is room. */
Test(mutator, seeds_and_rooms)
{
    uint8_t last[ROOM];
    size_t same = 0;
    size_t before = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint8_t *data = malloc(ROOM);
        memset(data, 'x', ROOM);
        memcpy(data, seed_text, sizeof seed_text - 1);
        const size_t size =
            toolwire_mutate(data, sizeof seed_text - 1, ROOM, seed);
        same += seed > 0 && size == before && memcmp(data, last, size) == 0;
        memcpy(last, data, ROOM);
        before = size;
        free(data);
    }
    cr_expect_lt(same, 100, "%zu", same);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        const size_t room = seed % 20;
        uint8_t *data = malloc(20);
        memset(data, '<', 20);
        cr_assert_leq(toolwire_mutate(data, 20, room, seed), room);
        for (size_t i = room; i < 20; i++) {
            cr_assert_eq(data[i], '<');
        }
        free(data);
    }
}

Test(mutator, afl)
{
    void *its = afl_custom_init(NULL, 7);
    uint8_t data[] = "call:f{a:1}END";
    uint8_t *out = NULL;
    size_t changed = 0;
    for (int i = 0; i < 1000; i++) {
        const size_t size =
            afl_custom_fuzz(its, data, sizeof data - 1, &out, NULL, 0, 64);
        cr_assert_not_null(out);
        cr_assert_leq(size, 64);
        cr_assert_eq(memcmp(out + size - 3, "END", 3), 0);
        changed += size != sizeof data - 1;
    }
    cr_assert_gt(changed, 500);
    afl_custom_deinit(its);
}
