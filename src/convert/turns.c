/* SPDX-License-Identifier: MIT
 *
 * Transcripts of any template.  What stands between two texts of a small
 * conversation, whose words stand nowhere else, is what the template writes
 * there.
 */
#include "convert/turns.h"

#include <string.h>

#include "core/ascii.h"
#include "json/dump.h"

void tw_turns_init(tw_turns *turns, const tw_memory *memory)
{
    memset(turns, 0, sizeof *turns);
    turns->memory = memory;
}

static void forget(tw_turns *turns)
{
    for (size_t i = 0; i < TW_TURNS_PLACES * TW_TURNS_PLACES; i++) {
        tw_buffer_free(&turns->between[0][0] + i, turns->memory);
    }
    tw_encoder_free(turns->encoder);
    turns->encoder = NULL;
    turns->known = turns->failed = false;
}

void tw_turns_free(tw_turns *turns)
{
    forget(turns);
}

/* ---- small conversations ------------------------------------------------ */

#define SYSTEM "qsystemq"
#define ASKED "qaskedq"
#define AGAIN "qagainq"
#define SAID "qsaidq"
#define LAST "qlastq"
#define GIVEN "qgivenq"
#define BECAUSE "qbecauseq"
#define FOUND "qfoundq"
#define OTHER "qotherq"
#define NAME "qfindq"
#define IDS "call0000"

#define MESSAGE(role, text) "{\"role\":\"" role "\",\"content\":\"" text "\"}"
#define CALL(id)                                                              \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" NAME \
    "\",\"arguments\":\"{\\\"at\\\": \\\"" GIVEN "\\\"}\"}}"
#define RESULT(id, text)                                              \
    "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"name\":\"" NAME \
    "\",\"content\":\"" text "\"}"
#define CALLS                                                         \
    "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[" CALL( \
        IDS "0") "," CALL(IDS "1") "]}"

#define CALLED             \
    MESSAGE("user", ASKED) \
    "," CALLS "," RESULT(IDS "0", FOUND) "," RESULT(IDS "1", OTHER)
#define THOUGHT                                   \
    "{\"role\":\"assistant\",\"content\":\"" SAID \
    "\",\"reasoning_content\":\"" BECAUSE "\"}"
#define GOES_ON MESSAGE("user", AGAIN) "," MESSAGE("assistant", LAST)

static const char question[] = MESSAGE("user", ASKED);
static const char thought[] = MESSAGE("user", ASKED) "," THOUGHT;
static const char two_answers[] =
    MESSAGE("user", ASKED) "," MESSAGE("assistant", SAID) "," GOES_ON;
static const char with_system[] = MESSAGE("system", SYSTEM) "," MESSAGE(
    "user", ASKED) "," MESSAGE("assistant", SAID);
static const char calls_alone[] = MESSAGE("user", ASKED) "," CALLS;
static const char with_results[] = CALLED;
static const char thought_behind[] = CALLED "," THOUGHT;
static const char with_calls[] =
    CALLED "," MESSAGE("assistant", SAID) "," GOES_ON;

/* The prompt of the messages; false: the template refuses them. */
static bool render(tw_turns *turns, const char *messages, const char *tools,
                   bool generation, tw_buffer *out)
{
    tw_json_out request = {.memory = turns->memory};
    const char *text = "";
    size_t size = 0;
    tw_json_put(&request, "{\"messages\":[");
    tw_json_put(&request, messages);
    tw_json_put(&request, "]");
    if (tools != NULL) {
        tw_json_put(&request, ",\"tools\":");
        tw_json_put(&request, tools);
    }
    tw_json_put(&request, generation ? ",\"add_generation_prompt\":true}"
                                     : ",\"add_generation_prompt\":false}");
    const int code =
        request.failed
            ? TW_ERROR_MEMORY
            : tw_encode(turns->encoder, (const char *)request.out.data,
                        request.out.size, &text, &size);
    tw_buffer_free(&request.out, turns->memory);
    out->size = 0;
    turns->failed |=
        code == TW_ERROR_MEMORY ||
        (code == TW_OK && !tw_buffer_append(out, turns->memory, text, size));
    return code == TW_OK && !turns->failed;
}

/* ---- what stands between ------------------------------------------------ */

static tw_cursor all_of(const tw_buffer *text)
{
    const char *data = text->size > 0 ? (const char *)text->data : "";
    return (tw_cursor){data, data + text->size};
}

/* Behind |from|, or from the begin, up to |to|, or to the end; at NULL: one of
 * them is not there. */
static tw_cursor part_of(const tw_buffer *text, const char *from,
                         const char *to)
{
    tw_cursor part = all_of(text);
    const char *begin = from != NULL ? tw_cursor_find(&part, from) : part.at;
    if (begin == NULL) {
        return (tw_cursor){NULL, NULL};
    }
    part.at = begin + (from != NULL ? strlen(from) : 0);
    const char *end = to != NULL ? tw_cursor_find(&part, to) : part.end;
    return end != NULL ? (tw_cursor){part.at, end} : (tw_cursor){NULL, NULL};
}

static size_t size_of(tw_cursor part)
{
    return (size_t)(part.end - part.at);
}

/* What both begin with. */
static tw_cursor front_of(tw_cursor one, tw_cursor other)
{
    size_t size = 0;
    while (size < size_of(one) && size < size_of(other) &&
           one.at[size] == other.at[size]) {
        size++;
    }
    return (tw_cursor){one.at, one.at != NULL ? one.at + size : NULL};
}

/* In a part that is kept a hole is a NUL, and what fills it. */
enum { IN_HOLE_MOST = 256 };
#define NAME_HOLE "\0n"
#define ID_HOLE "\0i"
#define HOLE_SIZE 2

/* What differs from call to call becomes a hole. */
static void punch(tw_buffer *part, const char *word, size_t size,
                  const char *hole)
{
    size_t i = 0;
    while (i + size <= part->size) {
        if (memcmp(part->data + i, word, strlen(word)) == 0) {
            memcpy(part->data + i, hole, HOLE_SIZE);
            memmove(part->data + i + HOLE_SIZE, part->data + i + size,
                    part->size - i - size);
            part->size -= size - HOLE_SIZE;
        }
        i++;
    }
}

static void keep(tw_turns *turns, size_t from, size_t to, tw_cursor part)
{
    tw_buffer *kept = &turns->between[from][to];
    kept->size = 0;
    if (part.at == NULL) {
        return;
    }
    if (!tw_buffer_append(kept, turns->memory, part.at, size_of(part)) ||
        !tw_buffer_append(kept, turns->memory, "", 1)) {
        turns->failed = true;
        return;
    }
    kept->size--;
    if (to == TW_TURN_RESULT) {
        punch(kept, NAME, sizeof NAME - 1, NAME_HOLE);
        punch(kept, IDS, sizeof IDS, ID_HOLE);
        kept->data[kept->size] = '\0';
    }
}

static const tw_buffer *between(const tw_turns *turns, size_t from, size_t to)
{
    return &turns->between[from][to];
}

/* |part| as far as |other|, if that is there, has the same. */
static tw_cursor shared_with(tw_cursor part, tw_cursor other)
{
    return other.at != NULL ? front_of(part, other) : part;
}

/* A part that ends within a tag ends in front of the tag. */
static tw_cursor whole_tags(tw_cursor part)
{
    const char *at = part.end;
    while (at > part.at && at[-1] != '<' && at[-1] != '>') {
        at--;
    }
    const bool within = at > part.at && at[-1] == '<';
    return (tw_cursor){part.at, within ? at - 1 : part.end};
}

/* What stands behind |word|, in front of an answer of any kind: with thoughts
 * or without, of an old turn, or none yet. */
static void keep_head(tw_turns *turns, size_t from, const char *word,
                      const char *asked, const char *thoughtful,
                      tw_cursor head, const char *tools)
{
    tw_buffer prompt = {0};
    tw_buffer thoughts = {0};
    if (render(turns, asked, tools, true, &prompt)) {
        head = shared_with(head, part_of(&prompt, word, NULL));
    }
    if (render(turns, thoughtful, tools, false, &thoughts)) {
        head = shared_with(head, part_of(&thoughts, word, BECAUSE));
    }
    keep(turns, from, TW_TURN_ASSISTANT, whole_tags(head));
    tw_buffer_free(&prompt, turns->memory);
    tw_buffer_free(&thoughts, turns->memory);
}

/* Questions and answers; false: they cannot be told apart. */
static bool learn_talk(tw_turns *turns, const char *tools, tw_buffer *text)
{
    if (!render(turns, two_answers, tools, false, text)) {
        return false;
    }
    keep(turns, TW_TURNS_EDGE, TW_TURN_USER, part_of(text, NULL, ASKED));
    keep(turns, TW_TURN_ASSISTANT, TW_TURN_USER, part_of(text, SAID, AGAIN));
    keep(turns, TW_TURN_ASSISTANT, TW_TURNS_EDGE, part_of(text, LAST, NULL));
    keep_head(turns, TW_TURN_USER, ASKED, question, thought,
              front_of(part_of(text, ASKED, SAID), part_of(text, AGAIN, LAST)),
              tools);
    if (render(turns, question, tools, false, text)) {
        keep(turns, TW_TURN_USER, TW_TURNS_EDGE, part_of(text, ASKED, NULL));
    }
    return between(turns, TW_TURN_USER, TW_TURN_ASSISTANT)->size > 0 &&
           between(turns, TW_TURN_ASSISTANT, TW_TURN_USER)->size > 0;
}

static void learn_system(tw_turns *turns, const char *tools, tw_buffer *text)
{
    if (render(turns, with_system, tools, false, text)) {
        keep(turns, TW_TURNS_EDGE, TW_TURN_SYSTEM,
             part_of(text, NULL, SYSTEM));
        keep(turns, TW_TURN_SYSTEM, TW_TURN_USER,
             part_of(text, SYSTEM, ASKED));
    }
}

/* What both end with. */
static tw_cursor back_of(tw_cursor one, tw_cursor other)
{
    const char *at = one.end;
    while (at > one.at && (size_t)(one.end - at) < size_of(other) &&
           at[-1] == other.end[at - one.end - 1]) {
        at--;
    }
    return (tw_cursor){at, one.end};
}

/* What stands in front of the first result: |called| without the calls' end,
 * which |alone| has, too, where nobody answers them; or as much as stands in
 * front of another result. */
static tw_cursor head_of_results(tw_cursor called, tw_cursor alone,
                                 tw_cursor again)
{
    const size_t end = size_of(front_of(called, alone));
    return end > 0 && end < size_of(called)
               ? (tw_cursor){called.at + end, called.end}
               : back_of(called, again);
}

static void learn_results(tw_turns *turns, const char *tools, tw_buffer *text,
                          tw_buffer *other)
{
    if (!render(turns, with_calls, tools, false, text)) {
        return;
    }
    const tw_cursor called = part_of(text, GIVEN, FOUND);
    const tw_cursor again = part_of(text, FOUND, OTHER);
    if (called.at == NULL || again.at == NULL) {
        return;
    }
    const bool ends = render(turns, calls_alone, tools, false, other);
    const tw_cursor nothing = {NULL, NULL};
    keep(turns, TW_TURN_ASSISTANT, TW_TURN_RESULT,
         head_of_results(called, ends ? part_of(other, GIVEN, NULL) : nothing,
                         again));
    keep(turns, TW_TURN_RESULT, TW_TURN_RESULT, again);
    keep_head(turns, TW_TURN_RESULT, OTHER, with_results, thought_behind,
              part_of(text, OTHER, SAID), tools);
    if (render(turns, with_results, tools, false, other)) {
        keep(turns, TW_TURN_RESULT, TW_TURNS_EDGE,
             part_of(other, OTHER, NULL));
    }
}

int tw_turns_learn(tw_turns *turns, const tw_template *template_,
                   const tw_format *format, const char *tools)
{
    tw_buffer text = {0};
    tw_buffer other = {0};
    forget(turns);
    turns->encoder = tw_encoder_new_template(template_, format, turns->memory);
    turns->failed = turns->encoder == NULL;
    if (!turns->failed) { /* what a transcript quotes stands in it */
        tw_encoder_set(turns->encoder, TW_OPTION_CONTROL_TEXT,
                       TW_CONTROL_TEXT_ALLOW);
    }
    if (!turns->failed && learn_talk(turns, tools, &text)) {
        learn_system(turns, tools, &text);
        learn_results(turns, tools, &text, &other);
        turns->known = !turns->failed;
    }
    tw_buffer_free(&text, turns->memory);
    tw_buffer_free(&other, turns->memory);
    return turns->failed  ? TW_ERROR_MEMORY
           : turns->known ? TW_OK
                          : TW_ERROR_CANNOT_CARRY;
}

/* ---- a transcript ------------------------------------------------------- */

/* Does |part| stand where |text| begins?  NULL: no, else where it ends; *name
 * is what stands in its hole for a function's name. */
static const char *behind(const tw_buffer *part, tw_cursor text,
                          tw_cursor *name)
{
    const char *literal = (const char *)part->data;
    const char *end = literal + part->size;
    *name = (tw_cursor){NULL, NULL};
    if (literal == NULL || !tw_cursor_skip(&text, literal)) {
        return NULL;
    }
    for (literal += strlen(literal); literal < end;
         literal += strlen(literal)) {
        const bool names = literal[1] == NAME_HOLE[1];
        const tw_cursor hole = {text.at, size_of(text) > IN_HOLE_MOST
                                             ? text.at + IN_HOLE_MOST
                                             : text.end};
        literal += HOLE_SIZE;
        const char *next = tw_cursor_find(&hole, literal);
        if (next == NULL) {
            return NULL;
        }
        *name = names ? (tw_cursor){text.at, next} : *name;
        text.at = next + strlen(literal);
    }
    return text.at;
}

static bool begins(tw_cursor text, const tw_buffer *with)
{
    tw_cursor name;
    return behind(with, text, &name) != NULL;
}

/* Where |part| stands next; the text's end: nowhere. */
static const char *find(const tw_buffer *part, tw_cursor text)
{
    const char *at = NULL;
    while (part->size > 0 &&
           (at = tw_cursor_find(&text, (const char *)part->data)) != NULL) {
        text.at = at;
        if (begins(text, part)) {
            return at;
        }
        text.at++;
    }
    return text.end;
}

/* Where each of the parts stands next, at the end: nowhere. */
typedef struct seen_parts {
    const char *next[TW_TURNS_PLACES][TW_TURNS_PLACES];
} seen_parts;

/* Looks for all that may stand behind a turn of |kind|, whose text begins at
 * |text|; returns where the first of them stands. */
static const char *look(const tw_turns *turns, seen_parts *seen, size_t kind,
                        tw_cursor text)
{
    const char *first = text.end;
    for (size_t to = 0; to < TW_TURNS_KINDS; to++) {
        const char **at = &seen->next[kind][to];
        if (*at == NULL || *at < text.at) {
            *at = find(between(turns, kind, to), text);
        }
        first = *at < first ? *at : first;
    }
    return first;
}

/* A turn, and what stands in front of the next one. */
typedef struct cut {
    size_t kind;       /* the edge: there is none */
    const char *end;   /* of the text in front */
    const char *begin; /* of its own */
    tw_cursor name;    /* of the function whose result it is */
} cut;

/* The turn behind one of |kind|, whose text begins at |text|.  Of parts that
 * overlap the one that reaches further is meant: results may stand in a turn
 * of the user's. */
static cut next_turn(const tw_turns *turns, seen_parts *seen, size_t kind,
                     tw_cursor text)
{
    const char *first = look(turns, seen, kind, text);
    cut next = {TW_TURNS_EDGE, text.end, first, {NULL, NULL}};
    /* Those that stand first, then those that overlap the longest of them. */
    for (size_t i = 0; i < 2 * TW_TURNS_KINDS; i++) {
        const size_t to = i % TW_TURNS_KINDS;
        const char *at = seen->next[kind][to];
        const bool overlaps =
            i < TW_TURNS_KINDS ? at == first : at < next.begin;
        tw_cursor name;
        const char *begin = at < text.end && overlaps
                                ? behind(between(turns, kind, to),
                                         (tw_cursor){at, text.end}, &name)
                                : NULL;
        if (begin != NULL && begin > next.begin) {
            next = (cut){to, at, begin, name};
        }
    }
    const tw_buffer *edge = between(turns, kind, TW_TURNS_EDGE);
    if (next.kind == TW_TURNS_EDGE && size_of(text) >= edge->size &&
        begins((tw_cursor){text.end - edge->size, text.end}, edge)) {
        next.end -= edge->size;
    }
    return next;
}

/* The longest of what may stand in front of all turns. */
static cut first_turn(const tw_turns *turns, tw_cursor text)
{
    cut first = {TW_TURNS_EDGE, text.at, text.at, {NULL, NULL}};
    for (size_t to = 0; to < TW_TURNS_KINDS; to++) {
        tw_cursor name;
        const char *begin =
            behind(between(turns, TW_TURNS_EDGE, to), text, &name);
        if (begin != NULL &&
            (first.kind == TW_TURNS_EDGE || begin > first.begin)) {
            first = (cut){to, text.at, begin, name};
        }
    }
    return first;
}

void tw_turns_cut(const tw_turns *turns, tw_transcript_reader *reader,
                  const char *text, size_t size)
{
    const tw_cursor whole = {text, text + size};
    seen_parts seen = {{{NULL}}};
    cut turn = first_turn(turns, whole);
    if (turn.kind == TW_TURNS_EDGE) {
        tw_reader_report_loss(reader, whole);
    }
    while (turn.kind != TW_TURNS_EDGE) {
        const tw_cursor rest = {turn.begin, whole.end};
        const cut next = next_turn(turns, &seen, turn.kind, rest);
        /* Behind a generation prompt the model has written nothing yet. */
        if (turn.kind != TW_TURN_ASSISTANT || rest.at < rest.end) {
            tw_reader_turn(reader, (tw_turn_kind)turn.kind, rest.at,
                           (size_t)(next.end - rest.at));
            tw_reader_name(reader, turn.name.at, size_of(turn.name));
        }
        turn = next;
    }
}

/* ---- the proof ---------------------------------------------------------- */

static const tw_turn *turn_at(const tw_transcript_reader *reader, size_t i)
{
    const tw_turn *all = (const tw_turn *)(const void *)reader->turns.data;
    return i < reader->turns.size / sizeof *all ? &all[i] : NULL;
}

/* What stands in front of |turn|, or behind all of them, from |*at| on, which
 * moves behind the turn. */
static tw_cursor gap_before(const tw_turn *turn, const char **at,
                            const char *end)
{
    const tw_cursor gap = {*at, turn != NULL ? turn->source : end};
    *at = turn != NULL ? turn->source + turn->size : end;
    return gap;
}

static bool is_same(tw_cursor one, tw_cursor other)
{
    return size_of(one) == size_of(other) &&
           memcmp(one.at, other.at, size_of(one)) == 0;
}

static void skip_blanks(tw_cursor *text)
{
    while (text->at < text->end && tw_is_ws(*text->at)) {
        text->at++;
    }
}

/* A model may put blanks where the template puts none. */
static bool is_same_but_blanks(tw_cursor one, tw_cursor other)
{
    bool same = true;
    while (same) {
        skip_blanks(&one);
        skip_blanks(&other);
        if (one.at == one.end || other.at == other.end) {
            break;
        }
        same = *one.at++ == *other.at++;
    }
    return same && one.at == one.end && other.at == other.end;
}

static bool is_same_turn(const tw_turn *turn, const tw_turn *back)
{
    const tw_cursor one = {turn->source, turn->source + turn->size};
    const tw_cursor other = {back->source, back->source + back->size};
    return turn->kind == back->kind &&
           (turn->kind == TW_TURN_ASSISTANT ? is_same_but_blanks(one, other)
                                            : is_same(one, other));
}

/* Where |text|, of which |turns| were cut, is not what was |made|; NULL:
 * nowhere.  The stop at the end may be missing. */
static const char *first_difference(const tw_transcript_reader *turns,
                                    tw_cursor text,
                                    const tw_transcript_reader *made,
                                    tw_cursor prompt)
{
    const char *at = text.at;
    const char *other = prompt.at;
    const tw_turn *turn;
    for (size_t i = 0; (turn = turn_at(turns, i)) != NULL; i++) {
        const tw_turn *back = turn_at(made, i);
        const tw_cursor gap = gap_before(turn, &at, text.end);
        if (back == NULL ||
            !is_same(gap, gap_before(back, &other, prompt.end))) {
            return gap.at;
        }
        if (!is_same_turn(turn, back)) {
            return turn->source;
        }
    }
    const tw_cursor tail = {at, text.end};
    const tw_cursor whole = front_of(tail, (tw_cursor){other, prompt.end});
    return size_of(whole) < size_of(tail) ? whole.end : NULL;
}

/* Does the text end with a generation prompt? */
static bool ends_in_prompt(const tw_turns *turns,
                           const tw_transcript_reader *back, tw_cursor text)
{
    const size_t count = back->turns.size / sizeof(tw_turn);
    const tw_turn *last = count > 0 ? turn_at(back, count - 1) : NULL;
    const tw_cursor tail = {last != NULL ? last->source + last->size : text.at,
                            text.end};
    return last != NULL && size_of(tail) > 0 &&
           is_same(tail,
                   all_of(between(turns, last->kind, TW_TURN_ASSISTANT)));
}

int tw_turns_prove(tw_turns *turns, const tw_transcript_reader *back,
                   const char *text, size_t size, const char *messages,
                   const char *tools, size_t *differs)
{
    const tw_cursor given = {text, text + size};
    tw_buffer prompt = {0};
    tw_transcript_reader made;
    int code = TW_ERROR_CANNOT_CARRY;
    turns->failed = false;
    *differs = 0;
    tw_reader_init(&made, turns->memory);
    if (render(turns, messages, tools, ends_in_prompt(turns, back, given),
               &prompt)) {
        const tw_cursor whole = all_of(&prompt);
        tw_turns_cut(turns, &made, whole.at, size_of(whole));
        const char *at = first_difference(back, given, &made, whole);
        *differs = at != NULL ? (size_t)(at - text) : 0;
        code = at == NULL ? TW_OK : TW_ERROR_CANNOT_CARRY;
    }
    if (turns->failed || made.failed) {
        code = TW_ERROR_MEMORY;
    }
    tw_reader_free(&made);
    tw_buffer_free(&prompt, turns->memory);
    return code;
}
