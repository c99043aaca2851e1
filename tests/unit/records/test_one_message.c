/* SPDX-License-Identifier: MIT
 *
 * Decoded messages that need no reading to be a record's are what they would
 * be if they were read.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "json/write.h"
#include "kit/random.h"
#include "support/fragments.h"
#include "support/random_request.h"

/* A text that makes sense, nearly always. */
static const char *piece_of(const fragments *set, uint64_t *seed)
{
    return kit_below(seed, 4) > 0
               ? set->texts[kit_below(seed, set->text_count)]
               : set->parts[kit_below(seed, set->part_count)];
}

/* Text of random pieces, as a record; with |messages| it has an empty list of
 * these, and what was decoded is read again to stand in it. */
static void make_record(char *record, const fragments *set, uint64_t seed,
                        bool messages)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_buffer text = {0};
    tw_buffer string = {0};
    for (uint32_t i = kit_below(&seed, 9) + 1; i > 0; i--) {
        const char *piece = piece_of(set, &seed);
        cr_assert(tw_buffer_append(&text, &memory, piece, strlen(piece)));
    }
    cr_assert(tw_json_write_string(&string, &memory, (const char *)text.data,
                                   text.size));
    sprintf(record, "{\"a\":1,%s\"text\":%.*s,\"b\":[\"\\n\"]}",
            messages ? "\"messages\":[]," : "", (int)string.size,
            (const char *)string.data);
    tw_buffer_free(&text, &memory);
    tw_buffer_free(&string, &memory);
}

Test(record, of_one_message_is_that_of_a_list_with_it)
{
    size_t calls = 0;
    const tw_format *wire;
    for (size_t i = 0; (wire = wire_at(i)) != NULL; i++) {
        const char *name = tw_format_name(wire);
        const fragments *set = fragments_of(name);
        tw_converter *one =
            tw_converter_between(wire, NULL, NULL, "openai", NULL);
        tw_converter *other =
            tw_converter_between(wire, NULL, NULL, "openai", NULL);
        tw_converter_set(one, TW_OPTION_UNIT_COMPLETION, 1);
        tw_converter_set(other, TW_OPTION_UNIT_COMPLETION, 1);
        for (uint64_t seed = 0; seed < 1200 / TESTS_SHARE; seed++) {
            char records[2][4096];
            const char *lines[2];
            size_t sizes[2];
            make_record(records[0], set, seed, false);
            make_record(records[1], set, seed, true);
            cr_assert_eq(tw_converter_record(one, records[0],
                                             strlen(records[0]), &lines[0],
                                             &sizes[0]),
                         TW_OK);
            cr_assert_eq(tw_converter_record(other, records[1],
                                             strlen(records[1]), &lines[1],
                                             &sizes[1]),
                         TW_OK);
            cr_assert_eq(sizes[0], sizes[1], "%s\n%.*s\n%.*s", records[0],
                         (int)sizes[0], lines[0], (int)sizes[1], lines[1]);
            cr_assert_arr_eq(lines[0], lines[1], sizes[0]);
            calls += strstr(lines[0], "\"tool_calls\"") != NULL;
        }
        tw_converter_free(one);
        tw_converter_free(other);
    }
    cr_assert_gt(calls, 800 / TESTS_SHARE);
}

/* A prompt made of a random request, often with a byte changed, or with a
 * piece of another one in it. */
static void make_transcript(tw_encoder *encoder, tw_buffer *text,
                            const fragments *set, uint64_t *seed)
{
    const tw_memory memory = tw_memory_from(NULL);
    tw_json_out request = {.memory = &memory};
    const char *prompt = "";
    size_t size = 0;
    random_seed(*seed);
    random_request(&request);
    tw_encode(encoder, (const char *)request.out.data, request.out.size,
              &prompt, &size);
    const char *piece = piece_of(set, seed);
    const size_t at = kit_below(seed, (uint32_t)size + 1);
    text->size = 0;
    cr_assert(tw_buffer_append(text, &memory, prompt, at));
    if (kit_below(seed, 3) == 0) {
        cr_assert(tw_buffer_append(text, &memory, piece, strlen(piece)));
    }
    cr_assert(tw_buffer_append(text, &memory, prompt + at, size - at));
    if (size > 0 && kit_below(seed, 3) == 0) {
        text->data[kit_below(seed, (uint32_t)size)] =
            (uint8_t)kit_below(seed, 128);
    }
    tw_buffer_free(&request.out, &memory);
}

/* Where reasoning has another name, each message is read to give it its own
 * again: the way of those that need it. */
Test(record, of_a_transcript_is_that_of_messages_read_again)
{
    const tw_memory memory = tw_memory_from(NULL);
    size_t fine = 0;
    size_t refused = 0;
    tw_buffer text = {0};
    const tw_format *wire;
    for (size_t i = 0; (wire = wire_at(i)) != NULL; i++) {
        const char *name = tw_format_name(wire);
        const fragments *set = fragments_of(name);
        if (!tw_format_reads_transcripts(wire)) {
            continue;
        }
        tw_encoder *encoder = tw_encoder_new(wire, NULL);
        tw_converter *one =
            tw_converter_between(wire, NULL, NULL, "openai", NULL);
        tw_converter *other =
            tw_converter_between(wire, NULL, NULL, "openai", NULL);
        cr_assert_eq(
            tw_converter_set_text(other, TW_TEXT_REASONING_KEY, "thinking", 8),
            TW_OK);
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, 1);
        for (uint64_t round = 0; round < 1500; round++) {
            const char *lines[2] = {"", ""};
            size_t sizes[2] = {0, 0};
            uint64_t seed = round;
            make_transcript(encoder, &text, set, &seed);
            const char *its = text.size > 0 ? (const char *)text.data : "";
            const int result =
                tw_converter_text(one, its, text.size, &lines[0], &sizes[0]);
            cr_assert_eq(
                tw_converter_text(other, its, text.size, &lines[1], &sizes[1]),
                result);
            cr_assert_eq(sizes[0], sizes[1], "%.*s\n%.*s\n%.*s",
                         (int)text.size, its, (int)sizes[0], lines[0],
                         (int)sizes[1], lines[1]);
            cr_assert_arr_eq(lines[0], lines[1], sizes[0]);
            cr_assert_str_eq(tw_converter_error(one)->message,
                             tw_converter_error(other)->message);
            fine += result == TW_OK && sizes[0] > 100;
            refused += result != TW_OK;
        }
        tw_encoder_free(encoder);
        tw_converter_free(one);
        tw_converter_free(other);
    }
    cr_log_info("%zu fine, %zu refused", fine, refused);
    cr_assert_gt(fine, 3000);
    tw_buffer_free(&text, &memory);
}
