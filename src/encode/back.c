/* SPDX-License-Identifier: MIT
 *
 * What an encoder has written, read back.  No rule tells for every
 * description what a text, a name, a key or a value may hold: the decoder
 * does.
 */
#include "encode/back.h"

#include "core/bytes.h"
#include "formats/encode.h"
#include "json/write.h"
#include "messages/pytext.h"

void tw_back_init(tw_back *back, const tw_memory *memory,
                  const tw_format *format)
{
    const tw_back fresh = {.memory = memory, .format = format};
    *back = fresh;
    tw_conversation_init(&back->conversation, memory);
}

void tw_back_free(tw_back *back)
{
    tw_conversation_free(&back->conversation);
    tw_buffer_free(&back->text, back->memory);
    tw_writer_free(back->writer);
    tw_decoder_free(back->decoder);
}

/* ---- reports ------------------------------------------------------------ */

/* |code| was reported of |where|, or NULL: of anything. */
static bool is_reported(const tw_segments *out, const tw_value *where,
                        uint32_t code)
{
    bool found = false;
    for (size_t i = 0; i < tw_losses_count(&out->losses); i++) {
        const tw_lost *lost = tw_losses_at(&out->losses, i);
        found |=
            (where == NULL || lost->where == where) && lost->code == code;
    }
    return found;
}

/* More of the text was reported as lost than what texts are compared
 * without. */
static bool is_given_up(const tw_segments *out, const tw_value *text)
{
    bool found = false;
    for (size_t i = 0; i < tw_losses_count(&out->losses); i++) {
        const tw_lost *lost = tw_losses_at(&out->losses, i);
        found |= lost->where == text &&
                 tw_loss_get(lost->code)->kind == TW_REPORT_LOSS &&
                 lost->code != TW_LOSS_OUTER_WHITESPACE &&
                 lost->code != TW_LOSS_LONE_SURROGATE_LOST;
    }
    return found;
}

static void report_once(tw_segments *out, uint32_t code, const tw_value *where)
{
    if (!is_reported(out, where, code)) {
        tw_encode_loss(out, code, where, NULL);
    }
}

/* ---- texts -------------------------------------------------------------- */

static bool has_break(const char *text, size_t size)
{
    return size >= sizeof TW_BREAK - 1 &&
           memcmp(text, TW_BREAK, sizeof TW_BREAK - 1) == 0;
}

/* |text| is |given|, but for breaks in it. */
static bool same_unbroken(const char *given, size_t given_size,
                          const char *text, size_t size)
{
    size_t at = 0;
    size_t i = 0;
    while (i < size) {
        if (has_break(text + i, size - i) &&
            !has_break(given + at, given_size - at)) {
            i += sizeof TW_BREAK - 1;
        } else if (at < given_size && text[i] == given[at]) {
            i++;
            at++;
        } else {
            return false;
        }
    }
    return at == given_size;
}

/* Halves of surrogate pairs that were reported read back as U+FFFD. */
static bool same_text(const tw_back *back, const char *given,
                      size_t given_size, const char *text, size_t size)
{
    return tw_bytes_same(given, given_size, text, size) ||
           (back->broken && same_unbroken(given, given_size, text, size)) ||
           (back->halves_lost && given_size == size &&
            tw_is_replaced(given, text, size));
}

static bool same_stripped(const tw_back *back, const tw_value *given,
                          const char *text, size_t size)
{
    const char *own = given->text;
    size_t own_size = given->size;
    tw_python_strip(&own, &own_size);
    tw_python_strip(&text, &size);
    return same_text(back, own, own_size, text, size);
}

/* |got| is NULL where there is none. */
static void compare_text(const tw_back *back, tw_segments *out,
                         const tw_value *given, const tw_value *got)
{
    const char *text = got != NULL ? got->text : "";
    const size_t size = got != NULL ? got->size : 0;
    if (!tw_value_is_a(given, TW_VALUE_STRING) ||
        same_text(back, given->text, given->size, text, size)) {
        return;
    }
    if (same_stripped(back, given, text, size)) {
        report_once(out, TW_LOSS_OUTER_WHITESPACE, given);
    } else if (!is_given_up(out, given)) {
        tw_encode_refuse(out, given, "the text would read back as another");
    }
}

/* ---- values ------------------------------------------------------------- */

static bool is_scalar(const tw_value *value)
{
    return value->first == NULL;
}

/* Two values, each without its parts. */
static bool same_value(const tw_back *back, const tw_value *left,
                       const tw_value *right, bool numbers)
{
    return left->kind == right->kind &&
           (left->kind != TW_VALUE_OBJECT ||
            (left->first == NULL) == (right->first == NULL)) &&
           ((left->kind == TW_VALUE_NUMBER && !numbers) ||
            same_text(back, left->text, left->size, right->text, right->size));
}

static bool same_key(const tw_back *back, const tw_value *left,
                     const tw_value *right)
{
    return same_text(back, left->key, left->key_size, right->key,
                     right->key_size);
}

/* Two values with all their parts, in their order. */
static bool same(const tw_back *back, const tw_value *root,
                 const tw_value *got, bool numbers)
{
    const tw_value *at = root;
    while (same_value(back, at, got, numbers) &&
           is_scalar(at) == is_scalar(got)) {
        if (!is_scalar(at)) {
            at = at->first;
            got = got->first;
        } else {
            while (at != root && at->next == NULL && got->next == NULL) {
                at = at->parent;
                got = got->parent;
            }
            if (at == root) {
                return true;
            }
            at = at->next;
            got = got->next;
        }
        if (at == NULL || got == NULL || !same_key(back, at, got)) {
            return false;
        }
    }
    return false;
}

/* ---- calls -------------------------------------------------------------- */

static const tw_value *first_of(const tw_value *arguments)
{
    return arguments != NULL ? arguments->first : NULL;
}

/* A value whose type no tool declares is guessed: then a text that is JSON
 * loses its type, as a number does elsewhere. */
static bool is_guessed(const tw_back *back, const tw_value *given,
                       const tw_value *got)
{
    const tw_patterns *all = &back->format->description->argument;
    bool guesses = false;
    for (size_t i = 0; i < all->count; i++) {
        guesses |= tw_pattern_hole(&all->all[i])->kind ==
                   TW_PATTERN_VALUE_GUESS;
    }
    return guesses && given->kind != got->kind;
}

static void compare_arguments(const tw_back *back, tw_segments *out,
                              const tw_call *given, const tw_call *got)
{
    const size_t reports = tw_losses_count(&out->losses);
    bool moved;
    if (back->format->description->sorted && given->arguments != NULL &&
        got->arguments != NULL &&
        (!tw_value_sort(given->arguments, back->memory, &moved) ||
         !tw_value_sort(got->arguments, back->memory, &moved))) {
        tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
        return;
    }
    const bool no_nulls =
        tw_description_has_elements(back->format->description);
    const tw_value *theirs = first_of(got->arguments);
    for (const tw_value *at = first_of(given->arguments); at != NULL;
         at = at->next) {
        if (no_nulls && at->kind == TW_VALUE_NULL) {
            continue; /* that was reported */
        }
        if (theirs == NULL || !same_key(back, at, theirs)) {
            tw_encode_refuse(out, at, "the key would not read back");
            return;
        }
        if (!same(back, at, theirs, !out->python_numbers)) {
            if (at->kind == TW_VALUE_STRING &&
                !is_guessed(back, at, theirs)) {
                tw_encode_refuse(out, at,
                                 "the text would read back as another");
            } else {
                report_once(out, TW_LOSS_ARGUMENT_TYPE, at);
            }
        }
        theirs = theirs->next;
    }
    if (theirs != NULL) {
        tw_encode_refuse(out, given->value,
                         "the arguments would read back as others");
    } else if (reports == tw_losses_count(&out->losses) &&
               given->given != NULL && got->given != NULL &&
               given->given->kind == TW_VALUE_STRING &&
               !is_reported(out, given->given, TW_LOSS_ARGUMENTS_ORDER) &&
               !tw_bytes_same(given->given->text, given->given->size,
                              got->given->text, got->given->size)) {
        report_once(out, TW_LOSS_ARGUMENTS_SPELLING, given->given);
    }
}

static bool is_same_call(const tw_back *back, const tw_call *given,
                         const tw_call *got)
{
    return (given->input != NULL) == (got->input != NULL) &&
           same_text(back, given->name->text, given->name->size,
                     got->name->text, got->name->size);
}

static void compare_call(const tw_back *back, tw_segments *out,
                         const tw_call *given, const tw_call *got)
{
    if (got == NULL || !is_same_call(back, given, got)) {
        tw_encode_refuse(out, given->value, "the call would not read back");
    } else if (given->input != NULL) {
        compare_text(back, out, given->input, got->input);
    } else {
        compare_arguments(back, out, given, got);
    }
}

static bool has_unparsed(const tw_message *got)
{
    const tw_value *said = tw_value_member(got->value, "toolwire");
    const tw_value *unparsed =
        said != NULL ? tw_value_member(said, "unparsed") : NULL;
    return first_of(unparsed) != NULL;
}

/* Is text there that was not given? */
static bool is_made_up(const tw_value *given, const tw_value *got)
{
    return (given == NULL || given->kind == TW_VALUE_NULL) && got != NULL &&
           got->size > 0;
}

static void compare(const tw_back *back, tw_segments *out,
                    const tw_conversation *conversation)
{
    const tw_message *given = tw_message_at(conversation, 0);
    const tw_message *got = tw_message_at(&back->conversation, 0);
    for (size_t i = 0; i < given->call_count; i++) {
        compare_call(back, out, tw_call_of(conversation, given, i),
                     i < got->call_count
                         ? tw_call_of(&back->conversation, got, i)
                         : NULL);
    }
    compare_text(back, out, given->content, got->content);
    compare_text(back, out, given->reasoning, got->reasoning);
    if (got->call_count > given->call_count || has_unparsed(got)) {
        tw_encode_refuse(out, given->value,
                         "the message would read back with other calls");
    }
    if (is_made_up(given->content, got->content) ||
        is_made_up(given->reasoning, got->reasoning)) {
        tw_encode_refuse(out, given->value,
                         "the message would read back with a text of its own");
    }
}

/* ---- reading ------------------------------------------------------------ */

/* How far a reader goes is not the writer's matter, but for names, which all
 * formats refuse alike. */
static bool lift_limits(tw_decoder *decoder)
{
    return tw_decoder_set(decoder, TW_OPTION_LIMIT_DEPTH, TW_TREE_DEPTH) ==
               TW_OK &&
           tw_decoder_set(decoder, TW_OPTION_LIMIT_ARGUMENTS, INT32_MAX) ==
               TW_OK &&
           tw_decoder_set(decoder, TW_OPTION_LIMIT_CALLS, INT32_MAX) == TW_OK;
}

static bool is_ready(tw_back *back)
{
    if (back->decoder == NULL) {
        back->decoder = tw_decoder_new(back->format, back->memory);
    }
    if (back->writer == NULL) {
        back->writer = tw_writer_new(TW_SHAPE_MESSAGE, back->memory);
    }
    if (back->decoder == NULL || back->writer == NULL) {
        return false;
    }
    tw_decoder_reset(back->decoder);
    return lift_limits(back->decoder);
}

/* Values of a description with tags are of the types that tools declare. */
static bool set_tools(tw_back *back, const tw_value *tools)
{
    back->text.size = 0;
    return !tw_description_is_typed(back->format->description) ||
           ((tools == NULL || tw_value_dump(&back->text, back->memory, tools,
                                            &tw_dump_compact)) &&
            tw_decoder_set_tools(back->decoder,
                                 tools != NULL ? (const char *)back->text.data
                                               : NULL,
                                 back->text.size) != TW_ERROR_MEMORY);
}

/* {"messages":[the message that the text is]}.  TW_OK or an error. */
static int read(tw_back *back, const tw_segments *out)
{
    static const char front[] = "{\"messages\":[";
    const char *line;
    size_t size;
    back->text.size = 0;
    const int result = tw_decode_message(back->decoder, back->writer,
                                         (const char *)out->text.data,
                                         out->text.size, &line, &size);
    if (result != TW_OK) {
        return result;
    }
    if (!tw_buffer_append(&back->text, back->memory, front,
                          sizeof front - 1) ||
        !tw_buffer_append(&back->text, back->memory, line, size) ||
        !tw_buffer_append(&back->text, back->memory, "]}", 2)) {
        return TW_ERROR_MEMORY;
    }
    return tw_conversation_read(
        &back->conversation, (const char *)back->text.data, back->text.size);
}

void tw_back_check(tw_back *back, const tw_conversation *conversation,
                   const tw_value *tools, tw_segments *out)
{
    const tw_message *message = tw_message_at(conversation, 0);
    const tw_description *description = back->format->description;
    const bool inside =
        (message->reasoning != NULL && tw_frame_starts_inside(description)) ||
        tw_frame_closes_first(description, (const char *)out->text.data,
                              out->text.size);
    int result = TW_ERROR_MEMORY;
    if (is_ready(back)) {
        tw_decoder_set(back->decoder, TW_OPTION_START_REASONING, inside);
        result = set_tools(back, tools) ? read(back, out) : TW_ERROR_MEMORY;
    }
    if (result == TW_OK) {
        back->halves_lost =
            is_reported(out, NULL, TW_LOSS_LONE_SURROGATE_LOST);
        back->broken = is_reported(out, NULL, TW_LOSS_BROKEN_MARKER);
        compare(back, out, conversation);
    } else if (result == TW_ERROR_MEMORY) {
        tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
    } else {
        tw_encode_refuse(out, message->value,
                         "the message would not read back");
    }
}
