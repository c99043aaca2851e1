/* SPDX-License-Identifier: MIT
 *
 * The owners of a prompt's bytes.  Data are their origin's; words of the
 * template are of the message at which its loop was when it wrote them, and
 * their part is told by the data beside them.  An assistant's turn is sampled
 * from behind the generation prompt that it would have had up to its stop.
 */
#include "template/spans_work.h"

static const char *const part_names[] = {
    NULL,        "head",   "reasoning", "text", "call",    "name",
    "arguments", "result", "tools",     "end",  "template"};

static const tw_span_piece edge = {0, 0, TW_NOBODY, TW_SPAN_NONE};

void tw_spans_init(tw_spans *spans, const struct tw_template *template_)
{
    memset(spans, 0, sizeof *spans);
    tw_rendering_init(&spans->trial, &template_->program, &template_->memory);
}

void tw_spans_init_plain(tw_spans *spans, const tw_memory *memory)
{
    memset(spans, 0, sizeof *spans);
    spans->trial.memory = *memory;
}

void tw_spans_free(tw_spans *spans)
{
    const tw_memory memory = spans->trial.memory;
    tw_buffer_free(&spans->list, &memory);
    tw_buffer_free(&spans->atoms, &memory);
    tw_buffer_free(&spans->tokens, &memory);
    tw_buffer_free(&spans->pieces, &memory);
    tw_buffer_free(&spans->sampled, &memory);
    tw_buffer_free(&spans->prompt, &memory);
    tw_buffer_free(&spans->usual, &memory);
    if (spans->trial.machine.program != NULL) {
        tw_rendering_free(&spans->trial);
    }
}

static const tw_span_piece *atoms_of(const tw_marking *work, size_t *count)
{
    static const tw_span_piece none;
    *count = work->spans->atoms.size / sizeof(tw_span_piece);
    return *count > 0
               ? (const tw_span_piece *)(const void *)work->spans->atoms.data
               : &none;
}

/* ---- pieces ------------------------------------------------------------- */

/* Bytes up to |end|. */
static void put(tw_marking *work, size_t end, int64_t message,
                tw_span_part what)
{
    const tw_span_piece made = {work->at, end, message, what};
    if (end > work->at) {
        tw_spans_add(work, &work->spans->pieces, &made, sizeof made);
        work->at = end;
    }
}

static bool is_call(tw_span_part what)
{
    return what == TW_SPAN_NAME || what == TW_SPAN_ARGUMENTS;
}

/* Of the words in front of |what|, or behind it. */
static tw_span_part around(tw_span_part what)
{
    return is_call(what) ? TW_SPAN_CALL : what;
}

/* Words between two data of a message. */
static void put_inner(tw_marking *work, const tw_span_piece *left,
                      const tw_span_piece *right)
{
    tw_span_part what = around(left->part);
    tw_generated closer;
    if (left->part == TW_SPAN_REASONING && is_call(right->part) &&
        tw_spans_marker_in(work, work->at, right->begin, &closer)) {
        put(work, tw_spans_behind_blanks(work, closer.end, right->begin),
            left->message, TW_SPAN_REASONING);
    }
    if (is_call(right->part) || right->part == TW_SPAN_REASONING) {
        what = left->part == TW_SPAN_REASONING || !is_call(left->part) ||
                       is_call(right->part)
                   ? around(right->part)
                   : TW_SPAN_CALL;
    }
    put(work, right->begin, left->message, what);
}

/* Words behind the last data of a message in its own region. */
static void put_tail(tw_marking *work, const tw_span_piece *left, size_t end)
{
    const tw_generated stop = tw_spans_last_stop(work, work->at, end);
    if (left->part != TW_SPAN_NONE) {
        const bool tools = left->part == TW_SPAN_TOOLS;
        put(work, tw_spans_closes(work, &stop) ? stop.end : stop.begin,
            tools ? TW_NOBODY : work->owner, around(left->part));
    }
    put(work, end, work->owner, TW_SPAN_END);
}

/* Words between data of two messages, in a region of one: up to its stop they
 * are the left one's. */
static void put_between(tw_marking *work, const tw_span_piece *left,
                        const tw_span_piece *right)
{
    tw_generated stop;
    if (tw_spans_stop_in(work, work->at, right->begin, false, &stop)) {
        if (left->message == work->owner) {
            put(work, tw_spans_closes(work, &stop) ? stop.end : stop.begin,
                left->message, around(left->part));
        }
        put(work, stop.end, left->message, TW_SPAN_END);
    }
    put(work, right->begin, right->message,
        right->message == work->owner ? around(right->part) : TW_SPAN_HEAD);
}

/* Words up to |right|, behind |left|. */
static void put_words(tw_marking *work, const tw_span_piece *left,
                      const tw_span_piece *right)
{
    const bool same =
        left->part != TW_SPAN_NONE && left->message == right->message;
    if (left->part == TW_SPAN_TOOLS && right->part == TW_SPAN_TOOLS) {
        put(work, right->begin, TW_NOBODY, TW_SPAN_TOOLS);
    } else if (work->at < work->head && !same) {
        put(work, right->begin < work->head ? right->begin : work->head,
            work->owner, TW_SPAN_HEAD);
    }
    if (left->part == TW_SPAN_TOOLS || right->part == TW_SPAN_TOOLS) {
        put(work, right->begin, TW_NOBODY, TW_SPAN_TOOLS);
    } else if (same) {
        put_inner(work, left, right);
    } else if (left->part == TW_SPAN_NONE && work->owner == TW_NOBODY) {
        put(work, right->begin, right->message, TW_SPAN_HEAD);
    } else if (left->part == TW_SPAN_NONE) {
        put(work, right->begin, work->owner, around(right->part));
    } else {
        put_between(work, left, right);
    }
}

/* Behind the first marker in words up to |end|, and the blanks there; none:
 * where they begin. */
static size_t behind_marker(const tw_marking *work, size_t from, size_t end)
{
    tw_generated marker;
    return tw_spans_marker_in(work, from, end, &marker)
               ? tw_spans_behind_blanks(work, marker.end, end)
               : from;
}

/* Words behind all data of a region that is nobody's. */
static void put_loose_last(tw_marking *work, const tw_span_piece *left)
{
    if (left->part == TW_SPAN_TOOLS) {
        put(work, work->end, TW_NOBODY, TW_SPAN_TOOLS);
    } else if (left->part != TW_SPAN_NONE) {
        const size_t at = behind_marker(work, work->at, work->end);
        put(work, at > work->at ? at : work->end, left->message, TW_SPAN_END);
    }
    put(work, work->end, TW_NOBODY, TW_SPAN_TEMPLATE);
}

/* Words behind all data of a region. */
static void put_last(tw_marking *work, const tw_span_piece *left)
{
    if (work->owner == TW_NOBODY) {
        put_loose_last(work, left);
        return;
    }
    if (work->at < work->head) {
        put(work, work->head, work->owner, TW_SPAN_HEAD);
    }
    if (left->part == TW_SPAN_NONE || left->message == work->owner ||
        left->part == TW_SPAN_TOOLS) {
        put_tail(work, left, work->end);
    } else {
        put(work, work->end, left->message, TW_SPAN_END);
    }
}

static void put_region(tw_marking *work, const tw_span_piece *atoms,
                       size_t count)
{
    const tw_span_piece *left = &edge;
    work->at = work->begin;
    for (size_t i = 0; i < count; i++) {
        put_words(work, left, &atoms[i]);
        put(work, atoms[i].end, atoms[i].message, atoms[i].part);
        left = &atoms[i];
    }
    put_last(work, left);
}

/* ---- regions ------------------------------------------------------------ */

static bool speaks(const tw_marking *work, int64_t message)
{
    return message != TW_NOBODY &&
           tw_message_at(work->prompt->conversation, (size_t)message)->role ==
               TW_ROLE_ASSISTANT;
}

static void mark_region(tw_marking *work, const tw_span_piece *atoms,
                        size_t count)
{
    const size_t own = tw_spans_first_own(work, atoms, count);
    const size_t data = own < count ? atoms[own].begin : work->end;
    const bool sampled = speaks(work, work->owner);
    const size_t from =
        sampled && !work->resumed ? tw_spans_behind_prompt(work, data) : data;
    work->head = work->owner == TW_NOBODY || work->resumed ? work->begin
                 : from < data                             ? from
                                                           : data;
    if (sampled) {
        tw_spans_sample_turn(work, atoms, count, from);
    }
    put_region(work, atoms, count);
}

/* A region that is nobody's has a region for each message in it.  Only an
 * assistant's is then its own: the others may be of the template as well. */
static void mark_loose(tw_marking *work, const tw_span_piece *atoms,
                       size_t count)
{
    const size_t end = work->end;
    size_t first = 0;
    int64_t message = TW_NOBODY; /* of these atoms */
    for (size_t i = 0; i <= count; i++) {
        const int64_t next = i < count ? atoms[i].message : TW_NOBODY;
        if (i < count &&
            (next == TW_NOBODY || message == TW_NOBODY || next == message)) {
            message = next != TW_NOBODY ? next : message;
            continue;
        }
        work->end = i < count
                        ? behind_marker(work, atoms[i - 1].end, atoms[i].begin)
                        : end;
        work->owner = speaks(work, message) ? message : TW_NOBODY;
        mark_region(work, atoms + first, i - first);
        work->begin = work->end;
        first = i;
        message = next;
    }
}

/* The region of the marks up to number |i| is the one under way: a loop
 * through messages that wrote nothing does not end one. */
static bool goes_on(const tw_marking *work, const tw_turn_mark *turn, size_t i)
{
    return i > 0 && turn[i - 1].resumed && turn[i - 1].turn > 0 &&
           work->begin < work->end &&
           work->owner == (int64_t)turn[i - 1].turn - 1;
}

/* Marks the region with the atoms in it, of which *next is the first. */
static void end_region(tw_marking *work, size_t *next)
{
    size_t count;
    const tw_span_piece *atoms = atoms_of(work, &count);
    const size_t first = *next;
    while (*next < count && atoms[*next].begin < work->end) {
        ++*next;
    }
    if (work->begin < work->end) {
        (work->owner == TW_NOBODY ? mark_loose : mark_region)(
            work, atoms + first, *next - first);
    }
}

static void mark_regions(tw_marking *work)
{
    const tw_buffer *turns = work->prompt->turns;
    const tw_turn_mark *turn = (const tw_turn_mark *)(const void *)turns->data;
    const size_t turn_count = turns->size / sizeof *turn;
    size_t next = 0;
    work->owner = TW_NOBODY;
    for (size_t i = 0; i <= turn_count && work->code == TW_OK; i++) {
        const size_t end = i < turn_count ? turn[i].at : work->size;
        if (i > 0 && end == turn[i - 1].at) {
            continue; /* nothing was written there */
        }
        if (!goes_on(work, turn, i)) {
            end_region(work, &next);
            work->begin = i > 0 ? turn[i - 1].at : 0;
            work->owner = i > 0 ? (int64_t)turn[i - 1].turn - 1 : TW_NOBODY;
            work->resumed = work->owner != TW_NOBODY && turn[i - 1].resumed;
        }
        work->end = end;
    }
    end_region(work, &next);
}

/* ---- the list ----------------------------------------------------------- */

static void put_span(tw_marking *work, tw_breaks *done,
                     const tw_span_piece *of, size_t begin, size_t end,
                     bool sampled)
{
    tw_buffer *list = &work->spans->list;
    const tw_span made = {tw_breaks_place(done, begin),
                          tw_breaks_place(done, end), of->message,
                          part_names[of->part], sampled};
    tw_span *before = list->size > 0
                          ? (tw_span *)(void *)(list->data + list->size) - 1
                          : NULL;
    if (before != NULL && before->message == made.message &&
        before->part == made.part && before->sampled == made.sampled) {
        before->end = made.end;
    } else {
        tw_spans_add(work, list, &made, sizeof made);
    }
}

/* Does the trainer take what was sampled of this piece? */
static bool is_taken(const tw_marking *work, const tw_span_piece *piece)
{
    const tw_sampling *sampling = &work->prompt->sampling;
    if (piece->message == TW_NOBODY) {
        return !sampling->last;
    }
    const tw_message *message =
        tw_message_at(work->prompt->conversation, (size_t)piece->message);
    const tw_value *weight =
        sampling->by_weight ? tw_value_member(message->value, "weight") : NULL;
    return (!sampling->last || piece->message == work->last) &&
           (!sampling->no_reasoning || piece->part != TW_SPAN_REASONING) &&
           (weight == NULL || weight->kind == TW_VALUE_NULL ||
            tw_value_is_true(weight));
}

/* The last message of an assistant. */
static int64_t last_speaker(const tw_prompt *prompt)
{
    int64_t last = (int64_t)tw_message_count(prompt->conversation) - 1;
    while (last >= 0 &&
           tw_message_at(prompt->conversation, (size_t)last)->role !=
               TW_ROLE_ASSISTANT) {
        last--;
    }
    return last;
}

/* Pieces, cut where what was sampled begins and ends. */
static void put_list(tw_marking *work, const tw_buffer *sampled)
{
    const tw_span_piece *each =
        (const tw_span_piece *)(const void *)work->spans->pieces.data;
    const size_t count = work->spans->pieces.size / sizeof *each;
    const tw_generated *turn =
        (const tw_generated *)(const void *)sampled->data;
    const size_t turns = sampled->size / sizeof *turn;
    const tw_generated *limit = turns > 0 ? turn + turns : turn;
    tw_breaks done = {&work->prompt->segments->text, work->text, work->size, 0,
                      0};
    for (size_t i = 0; i < count; i++, each++) {
        for (size_t at = each->begin; at < each->end;) {
            while (turn != limit && turn->end <= at) {
                turn++;
            }
            const bool inside = turn != limit && turn->begin <= at;
            const size_t next = turn == limit ? each->end
                                : inside      ? turn->end
                                              : turn->begin;
            const size_t end = next < each->end ? next : each->end;
            put_span(work, &done, each, at, end,
                     inside && is_taken(work, each));
            at = end;
        }
    }
}

/* All shorter prompts together may take as many steps as so many prompts. */
enum { PROMPTS = 20 };

int tw_spans_make(tw_spans *spans, const tw_prompt *prompt)
{
    const tw_buffer *told = prompt->generated;
    const uint64_t once = spans->trial.step_limit;
    tw_marking work = {.spans = spans,
                       .prompt = prompt,
                       .text = (const char *)prompt->text->data,
                       .size = prompt->text->size,
                       .code = TW_OK};
    work.last = last_speaker(prompt);
    spans->list.size = spans->atoms.size = spans->tokens.size = 0;
    spans->pieces.size = spans->sampled.size = spans->usual.size = 0;
    spans->trial.step_limit = PROMPTS * once;
    tw_spans_find_atoms(&work);
    mark_regions(&work);
    put_list(&work, told->size > 0 ? told : &spans->sampled);
    spans->trial.step_limit = once;
    return work.code;
}

/* ---- one turn ----------------------------------------------------------- */

int tw_turn_find_data(tw_spans *spans, const tw_prompt *prompt, size_t from,
                      size_t limit, tw_last_turn *turn)
{
    tw_marking work = {.spans = spans, .prompt = prompt, .code = TW_OK};
    const int64_t last = (int64_t)tw_message_count(prompt->conversation) - 1;
    spans->atoms.size = spans->tokens.size = 0;
    tw_spans_find_atoms(&work);
    size_t count;
    const tw_span_piece *atoms = atoms_of(&work, &count);
    *turn = (tw_last_turn){from, from, prompt->text->size};
    for (size_t i = 0; i < count && atoms[i].begin < limit; i++) {
        if (atoms[i].message == last && atoms[i].end > turn->data) {
            turn->data = atoms[i].end;
        }
    }
    const size_t loop =
        prompt->turns != NULL ? tw_spans_end_of_turns(prompt->turns) : 0;
    turn->end = loop > turn->data ? loop : turn->end;
    return work.code;
}

tw_generated tw_turn_stop(tw_spans *spans, const tw_prompt *prompt,
                          const tw_last_turn *turn, size_t limit)
{
    const tw_marking work = {.spans = spans,
                             .prompt = prompt,
                             .text = (const char *)prompt->text->data,
                             .size = prompt->text->size,
                             .head = turn->begin};
    limit = limit < turn->end ? limit : turn->end;
    return tw_spans_last_stop(&work, turn->data,
                              limit > turn->data ? limit : turn->data);
}
