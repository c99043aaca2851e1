/* SPDX-License-Identifier: MIT
 *
 * Hermes / Qwen, the whole output: text and reasoning.
 */
#include "naive_hermes.h"

#include <string.h>

#define THINK "<think>"
#define UNTHINK "</think>"

enum {
    BLANK_LIMIT = 256,   /* blanks at the start of a segment */
    HELD_LIMIT = 65536   /* a trial */
};

/* --- what is said of the output ---------------------------------------- */

void hermes_give_up(hermes_decoder *decoder, size_t at)
{
    if (!decoder->trial || decoder->gave_up)
        return;
    decoder->gave_up = true;
    decoder->gave_up_at = at;
}

void hermes_unparsed(hermes_decoder *decoder, size_t begin, size_t end,
                     const char *reason, const naive_bytes *name)
{
    naive_unparsed *unparsed = naive_unparsed_add(decoder->message, begin,
                                                  end - begin, reason);

    if (name && name->size)
        naive_add(&unparsed->name, name->data, name->size);
    hermes_give_up(decoder, end);
}

static void diagnose(hermes_decoder *decoder, const char *code, size_t at)
{
    naive_diagnose(decoder->message, code, at);
}

/* Behind a stop marker at |at|: blanks are framing, the rest is dropped. */
static void stop_at(hermes_decoder *decoder, size_t at, size_t size)
{
    size_t rest = at + size;

    decoder->stopped = true;
    decoder->stopped_at = at;
    while (rest < decoder->size && hermes_is_blank(decoder->text[rest]))
        rest++;
    if (rest < decoder->size)
        naive_drop(decoder->message, "output_after_end", rest,
                   decoder->size - rest);
}

/* --- where the decoder stands ------------------------------------------ */

hermes_turn hermes_text_from(size_t begin, size_t strip)
{
    return (hermes_turn){.place = HERMES_TEXT,
                         .begin = begin,
                         .scan = begin,
                         .strip = strip};
}

static const hermes_turn over = {.place = HERMES_OVER};

/* --- segments ---------------------------------------------------------- */

/* A line feed, with its carriage return, at the start of the segment. */
static size_t leading_line_end(const char *text, size_t begin, size_t end)
{
    if (begin < end && text[begin] == '\n')
        return 1;
    if (end - begin >= 2 && memcmp(text + begin, "\r\n", 2) == 0)
        return 2;
    return 0;
}

/* At its end. */
static size_t trailing_line_end(const char *text, size_t begin, size_t end)
{
    if (end - begin >= 2 && memcmp(text + end - 2, "\r\n", 2) == 0)
        return 2;
    return end > begin && text[end - 1] == '\n';
}

/* A run of blanks that is not too long to be framing. */
static size_t trailing_blanks(const char *text, size_t begin, size_t end)
{
    size_t at = end;

    while (at > begin && hermes_is_blank(text[at - 1]))
        at--;
    return end - at > BLANK_LIMIT ? 0 : end - at;
}

/* Where the segment stops being blank.  </tool_call> counts as blank, a run
 * beyond the limit does not. */
static size_t first_solid(const hermes_decoder *decoder, size_t begin,
                          size_t end)
{
    size_t at = begin;

    while (at < end && at - begin <= BLANK_LIMIT) {
        if (hermes_is_blank(decoder->text[at]))
            at++;
        else if (hermes_starts(decoder, at, decoder->wire->close))
            at += strlen(decoder->wire->close);
        else
            break;
    }
    return at;
}

/* A segment in which only </tool_call> stands is framing, each is reported. */
static void report_orphans(hermes_decoder *decoder, size_t begin, size_t end)
{
    for (size_t at = begin; at < end; at++)
        if (decoder->text[at] == '<')
            diagnose(decoder, "orphan_close_tag", at);
}

static void end_text(hermes_decoder *decoder, const hermes_turn *turn,
                     size_t end, bool strip_end)
{
    const char *text = decoder->text;
    size_t begin = turn->begin, solid = first_solid(decoder, begin, end);

    if (solid == end && end - begin <= BLANK_LIMIT) {
        report_orphans(decoder, begin, end);
        return;
    }
    if (decoder->wire->trims) {
        if (solid - begin <= BLANK_LIMIT) {
            report_orphans(decoder, begin, solid);
            begin = solid;
        }
        end -= trailing_blanks(text, begin, end);
    }
    for (size_t i = 0; i < turn->strip; i++)
        begin += leading_line_end(text, begin, end);
    if (strip_end)
        end -= trailing_line_end(text, begin, end);
    naive_diagnose_utf8(decoder->message, text, begin, end);
    naive_text_segment(decoder->message, text + begin, end - begin);
}

/* |lead| are blanks that stood before a repeated <think>. */
static void end_reasoning(hermes_decoder *decoder, const naive_bytes *lead,
                          size_t begin, size_t end, bool strip_end)
{
    naive_bytes whole = {0};
    size_t from, to;

    naive_diagnose_utf8(decoder->message, decoder->text, begin, end);
    naive_add(&whole, "", 0);
    if (lead->size)
        naive_add(&whole, lead->data, lead->size);
    naive_add(&whole, decoder->text + begin, end - begin);
    from = leading_line_end(whole.data, 0, whole.size);
    to = whole.size;
    if (decoder->wire->trims) {
        from = strspn(whole.data, " \t\r\n");
        from = from > BLANK_LIMIT ? 0 : from;
        to -= trailing_blanks(whole.data, from, to);
    } else if (strip_end) {
        to -= trailing_line_end(whole.data, from, to);
    }
    naive_reasoning_segment(decoder->message, whole.data + from, to - from);
    naive_release(&whole);
}

/* --- trials ------------------------------------------------------------ */

static void decode(hermes_decoder *decoder, hermes_turn turn);

/* A decoder of the same text that looks at most 64 KiB ahead. */
static hermes_decoder trial_of(const hermes_decoder *decoder, size_t at,
                               naive_message *scratch)
{
    hermes_decoder trial = {.wire = decoder->wire,
                            .options = decoder->options,
                            .text = decoder->text,
                            .size = decoder->size,
                            .limit = decoder->limit,
                            .message = scratch,
                            .trial = true};

    if (trial.limit - at > HELD_LIMIT)
        trial.limit = at + HELD_LIMIT;
    scratch->begun = decoder->message->begun;
    return trial;
}

/* What the trial said is true: it moves to the message. */
static void adopt(hermes_decoder *decoder, naive_message *scratch)
{
    naive_message *message = decoder->message;

    for (size_t i = 0; i < scratch->call_count; i++)
        *naive_call_add(message) = scratch->calls[i];
    for (size_t i = 0; i < scratch->diagnostic_count; i++)
        naive_drop(message, scratch->diagnostics[i].code,
                   scratch->diagnostics[i].offset,
                   scratch->diagnostics[i].size);
    message->begun = scratch->begun;
    scratch->call_count = 0;
}

static void trial_too_long(hermes_decoder *decoder,
                           const hermes_decoder *trial, size_t at)
{
    if (trial->gave_up && trial->gave_up_at == trial->limit &&
        trial->limit == at + HELD_LIMIT && trial->limit < decoder->limit)
        diagnose(decoder, "repair_given_up", at);
}

/* --- text -------------------------------------------------------------- */

/* <tool_call> in text: a block, or the place from where to look on. */
static bool try_block(hermes_decoder *decoder, const hermes_turn *text,
                      size_t open_at, size_t *at, hermes_turn *next)
{
    hermes_head head;
    bool is_block;

    hermes_read_head(decoder, open_at, &head);
    is_block = head.kind != HERMES_NO_HEAD;
    if (is_block) {
        end_text(decoder, text, open_at, true);
        *next = hermes_read_block(decoder, open_at, &head);
    } else if (head.given_up) {
        diagnose(decoder, "repair_given_up", open_at);
    }
    *at = head.at;
    naive_message_release(&head.late);
    return is_block;
}

/* The trial's last bytes may be the beginning of a tag. */
static bool is_cut_tag(const hermes_decoder *decoder, size_t at)
{
    size_t size;

    return decoder->limit < decoder->size &&
           (hermes_marker_at(decoder, at, &size) == HERMES_CUT ||
            hermes_is_cut(decoder, at, THINK) ||
            hermes_is_cut(decoder, at, UNTHINK));
}

/* In a trial text is the answer: it is no call. */
static bool is_refuted(hermes_decoder *decoder, const hermes_turn *text,
                       size_t at)
{
    size_t solid = first_solid(decoder, text->begin, at);

    if (decoder->trial && solid < at && !is_cut_tag(decoder, solid))
        hermes_give_up(decoder, solid);
    return decoder->gave_up;
}

static hermes_turn end_of_text(hermes_decoder *decoder, const hermes_turn *text)
{
    if (is_refuted(decoder, text, decoder->limit))
        return over;
    if (decoder->limit < decoder->size)
        hermes_give_up(decoder, decoder->limit);
    end_text(decoder, text, decoder->limit, false);
    return over;
}

static hermes_turn read_text(hermes_decoder *decoder, const hermes_turn *text)
{
    hermes_turn next = {.place = HERMES_REASONING};
    size_t at = text->scan, size;

    for (;;) {
        at = hermes_next_less_than(decoder, at);
        if (at == decoder->limit || is_refuted(decoder, text, at))
            return end_of_text(decoder, text);
        if (hermes_starts(decoder, at, THINK) &&
            first_solid(decoder, text->begin, at) == at) {
            end_text(decoder, text, at, false);
            hermes_give_up(decoder, at + strlen(THINK));
            next.begin = next.scan = at + strlen(THINK);
            return next;
        }
        switch (hermes_marker_at(decoder, at, &size)) {
        case HERMES_OPEN:
            if (try_block(decoder, text, at, &at, &next))
                return next;
            break;
        case HERMES_STOP:
            end_text(decoder, text, at, false);
            stop_at(decoder, at, size);
            return over;
        case HERMES_CLOSE:
            at += size;
            break;
        case HERMES_NONE:
        case HERMES_CUT:
            at++;
            break;
        }
    }
}

/* --- reasoning --------------------------------------------------------- */

/* <tool_call> in reasoning, which ends at |end| if at all: a call only if
 * nothing but calls follows, up to a stop marker or the end of output. */
static bool try_calls(hermes_decoder *decoder, size_t open_at, size_t end,
                      naive_message *scratch, size_t *at)
{
    hermes_decoder trial = trial_of(decoder, open_at, scratch);

    if (trial.limit > end)
        trial.limit = end;
    decode(&trial, hermes_text_from(open_at, 0));
    *at = trial.gave_up ? trial.gave_up_at
                        : trial.stopped ? trial.stopped_at : trial.limit;
    trial_too_long(decoder, &trial, open_at);
    if (trial.gave_up || trial.unclosed || scratch->call_count == 0)
        return false;
    if (trial.stopped) {
        decoder->stopped = true;
        decoder->stopped_at = trial.stopped_at;
    }
    return true;
}

static bool read_calls(hermes_decoder *decoder, const naive_bytes *lead,
                       size_t begin, size_t open_at, size_t end, size_t *at)
{
    naive_message scratch = {0};
    bool are_calls = try_calls(decoder, open_at, end, &scratch, at);

    if (are_calls) {
        end_reasoning(decoder, lead, begin, open_at, true);
        diagnose(decoder, "call_in_reasoning", open_at);
        adopt(decoder, &scratch);
    }
    naive_message_release(&scratch);
    return are_calls;
}

static size_t find_unthink(const hermes_decoder *decoder, size_t at)
{
    while ((at = hermes_next_less_than(decoder, at)) < decoder->limit &&
           !hermes_starts(decoder, at, UNTHINK))
        at++;
    return at;
}

/* In a trial reasoning is no call either, unless it is blank. */
static bool refutes(hermes_decoder *decoder, size_t begin, size_t at)
{
    while (begin < at && hermes_is_blank(decoder->text[begin]))
        begin++;
    if (decoder->trial && begin < at)
        hermes_give_up(decoder, begin);
    return decoder->gave_up;
}

/* <think> once more, where only blanks were, is framing, and so are they. */
static bool repeats(hermes_decoder *decoder, hermes_turn *reasoning,
                    naive_bytes *lead, size_t at)
{
    if (!reasoning->may_repeat || !hermes_starts(decoder, at, THINK))
        return false;
    for (size_t i = reasoning->begin; i < at; i++)
        if (!hermes_is_blank(decoder->text[i]))
            return false;
    (void)lead;
    reasoning->begin = at + strlen(THINK);
    return true;
}

/* The `<` at |*at| in reasoning; false: it ended the output. */
static bool read_reasoning_marker(hermes_decoder *decoder,
                                  hermes_turn *reasoning, naive_bytes *lead,
                                  size_t end, size_t *at)
{
    size_t size, open_at = *at;

    if (repeats(decoder, reasoning, lead, *at)) {
        *at = reasoning->begin;
        return true;
    }
    switch (hermes_marker_at(decoder, *at, &size)) {
    case HERMES_OPEN:
        if (read_calls(decoder, lead, reasoning->begin, open_at, end, at))
            return false;
        hermes_give_up(decoder, *at);
        if (*at < open_at + size)
            *at = open_at + size;
        return true;
    case HERMES_STOP:
        end_reasoning(decoder, lead, reasoning->begin, open_at, false);
        stop_at(decoder, open_at, size);
        return false;
    default:
        ++*at;
        return true;
    }
}

static hermes_turn read_reasoning(hermes_decoder *decoder,
                                  hermes_turn reasoning)
{
    /* A trial never reaches </think>. */
    size_t end = decoder->trial ? decoder->limit
                                : find_unthink(decoder, reasoning.begin);
    size_t at = reasoning.begin;
    hermes_turn next = over;
    naive_bytes lead = {0};

    do {
        at = hermes_next_less_than(decoder, at);
        if (refutes(decoder, reasoning.begin, at))
            break;
        if (at == end) {
            end_reasoning(decoder, &lead, reasoning.begin, end,
                          end < decoder->limit);
            hermes_give_up(decoder, end);
            if (end < decoder->limit)
                next = hermes_text_from(end + strlen(UNTHINK), 2);
            break;
        }
    } while (read_reasoning_marker(decoder, &reasoning, &lead, end, &at));
    naive_release(&lead);
    return next;
}

/* --- the whole output -------------------------------------------------- */

static void decode(hermes_decoder *decoder, hermes_turn turn)
{
    while (turn.place != HERMES_OVER && !decoder->gave_up)
        turn = turn.place == HERMES_TEXT ? read_text(decoder, &turn)
                                         : read_reasoning(decoder, turn);
}

/* An output that begins with `{` may be a call that lost its opener.  If so,
 * |*turn| is what follows. */
static void try_bare_call(hermes_decoder *decoder, hermes_turn *turn)
{
    hermes_head head = {.kind = HERMES_OBJECT_HEAD};
    naive_message scratch = {0};
    hermes_turn next;
    hermes_decoder trial;

    while (head.at < decoder->size &&
           hermes_is_blank(decoder->text[head.at]))
        head.at++;
    if (!hermes_starts(decoder, head.at, "{"))
        return;
    trial = trial_of(decoder, head.at, &scratch);
    trial.bare = true;
    next = hermes_read_block(&trial, head.at, &head);
    trial_too_long(decoder, &trial, head.at);
    if (!trial.gave_up && !trial.unclosed && scratch.call_count > 0) {
        end_text(decoder, turn, head.at, true);
        diagnose(decoder, "missing_call_open", head.at);
        adopt(decoder, &scratch);
        *turn = next;
    }
    naive_message_release(&scratch);
}

static void read_output(const hermes_wire *wire, const naive_options *options,
                        const char *text, size_t size, naive_message *out)
{
    hermes_decoder decoder = {.wire = wire,
                              .options = options,
                              .text = text,
                              .size = size,
                              .limit = size,
                              .message = out};
    hermes_turn turn = hermes_text_from(0, 0);

    if (options->start_reasoning) {
        turn.place = HERMES_REASONING;
        turn.may_repeat = true;
    } else if (!wire->lists) {
        try_bare_call(&decoder, &turn);
    }
    decode(&decoder, turn);
}

void naive_hermes(const naive_options *options, const char *text, size_t size,
                  naive_message *out)
{
    static const hermes_wire wire = {
        .open = "<tool_call>",
        .close = "</tool_call>",
        .stops = {"<|im_end|>", "<|endoftext|>", "<|eot_id|>"}};

    read_output(&wire, options, text, size, out);
}

void naive_nemotron(const naive_options *options, const char *text,
                    size_t size, naive_message *out)
{
    static const hermes_wire wire = {.open = "<TOOLCALL>",
                                     .close = "</TOOLCALL>",
                                     .stops = {"<SPECIAL_12>", "<|eot_id|>"},
                                     .lists = true,
                                     .trims = true};

    read_output(&wire, options, text, size, out);
}
