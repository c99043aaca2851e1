/* SPDX-License-Identifier: MIT
 *
 * How a template writes turns.  What stands between two texts of a small
 * conversation, whose words stand nowhere else, is what the template writes
 * there.
 */
#include "turns/turns.h"

#include <string.h>

#include "core/ascii.h"
#include "json/dump.h"

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
#define CALLING(calls)                      \
    MESSAGE("user", ASKED)                  \
    ",{\"role\":\"assistant\",\"content\":" \
    "\"\",\"tool_calls\":[" calls "]}"
#define ONE_CALL CALLING(CALL(IDS "0"))
#define TWO_CALLS CALLING(CALL(IDS "0") "," CALL(IDS "1"))
#define ONE_RESULT ONE_CALL "," RESULT(IDS "0", OTHER)
#define TWO_RESULTS \
    TWO_CALLS "," RESULT(IDS "0", FOUND) "," RESULT(IDS "1", OTHER)
#define THOUGHT                                   \
    "{\"role\":\"assistant\",\"content\":\"" SAID \
    "\",\"reasoning_content\":\"" BECAUSE "\"}"
#define LATER MESSAGE("user", ASKED) "," MESSAGE("system", SYSTEM)
#define GOES_ON MESSAGE("user", AGAIN) "," MESSAGE("assistant", LAST)

static const char question[] = MESSAGE("user", ASKED);
static const char thought[] = MESSAGE("user", ASKED) "," THOUGHT;
static const char two_answers[] =
    MESSAGE("user", ASKED) "," MESSAGE("assistant", SAID) "," GOES_ON;
static const char three_questions[] = MESSAGE("user", ASKED) "," MESSAGE(
    "assistant", SAID) "," GOES_ON "," MESSAGE("user", OTHER);
static const char system_goes_on[] = MESSAGE("system", SYSTEM) "," MESSAGE(
    "user", ASKED) "," MESSAGE("assistant", SAID) "," GOES_ON;
static const char with_system[] = MESSAGE("system", SYSTEM) "," MESSAGE(
    "user", ASKED) "," MESSAGE("assistant", SAID);

/* Calls and their results, the last of which is OTHER. */
typedef struct called {
    const char *calls;
    const char *results;
    const char *thought; /* behind them */
    const char *goes_on;
    const char *first; /* the text of the first result */
} called;

static const called two_calls = {
    TWO_CALLS, TWO_RESULTS, TWO_RESULTS "," THOUGHT,
    TWO_RESULTS "," MESSAGE("assistant", SAID) "," GOES_ON, FOUND};
/* For templates that refuse more. */
static const called one_call = {
    ONE_CALL, ONE_RESULT, ONE_RESULT "," THOUGHT,
    ONE_RESULT "," MESSAGE("assistant", SAID) "," GOES_ON, OTHER};

/* With the tools that are learned with. */
static bool render(tw_turns *turns, const char *messages, bool generation,
                   tw_buffer *out)
{
    return tw_turns_render(turns, messages, tw_turns_tools(turns), generation,
                           out);
}

/* ---- what stands between ------------------------------------------------ */

/* Behind |from|, or from the begin, up to |to|, or to the end; at NULL: one of
 * them is not there. */
static tw_cursor part_of(const tw_buffer *text, const char *from,
                         const char *to)
{
    tw_cursor part = tw_cursor_of(text);
    const char *begin = from != NULL ? tw_cursor_find(&part, from) : part.at;
    if (begin == NULL) {
        return (tw_cursor){NULL, NULL};
    }
    part.at = begin + (from != NULL ? strlen(from) : 0);
    const char *end = to != NULL ? tw_cursor_find(&part, to) : part.end;
    return end != NULL ? (tw_cursor){part.at, end} : (tw_cursor){NULL, NULL};
}

/* What differs from call to call becomes a hole. */
static void punch(tw_buffer *part, const char *word, size_t size,
                  const char *hole)
{
    size_t i = 0;
    while (i + size <= part->size) {
        if (memcmp(part->data + i, word, strlen(word)) == 0) {
            memcpy(part->data + i, hole, TW_HOLE_SIZE);
            memmove(part->data + i + TW_HOLE_SIZE, part->data + i + size,
                    part->size - i - size);
            part->size -= size - TW_HOLE_SIZE;
        }
        i++;
    }
}

/* Bytes [begin, end) become a hole for an id. */
static void punch_at(tw_turns *turns, tw_buffer *part, size_t begin,
                     size_t end)
{
    static const char room[TW_HOLE_SIZE] = {0};
    const size_t size = part->size - (end - begin) + TW_HOLE_SIZE;
    if (!tw_buffer_append(part, turns->memory, room, sizeof room)) {
        turns->failed = true;
        return;
    }
    memmove(part->data + begin + TW_HOLE_SIZE, part->data + end,
            part->size - sizeof room - end);
    memcpy(part->data + begin, TW_ID_HOLE, TW_HOLE_SIZE);
    part->size = size;
    part->data[size] = '\0';
}

static size_t number_before(const tw_buffer *part, size_t end)
{
    size_t begin = end;
    while (begin > 0 && tw_is_digit((char)part->data[begin - 1])) {
        begin--;
    }
    return begin;
}

/* Numbers in which the parts in front of two results differ, which end alike,
 * count calls: they differ from result to result. */
static void punch_numbers(tw_turns *turns, tw_buffer *one, tw_buffer *other)
{
    size_t at = one->size;
    size_t by = other->size;
    while (at > 0 && by > 0 && !turns->failed) {
        const size_t from = number_before(one, at);
        const size_t since = number_before(other, by);
        const bool same =
            at - from == by - since &&
            memcmp(one->data + from, other->data + since, at - from) == 0;
        if (from > 0 && since > 0 && from < at && since < by && !same) {
            punch_at(turns, one, from, at);
            punch_at(turns, other, since, by);
        } else if (one->data[at - 1] != other->data[by - 1]) {
            break;
        }
        const bool numbers = from < at && since < by;
        at = numbers ? from : at - 1;
        by = numbers ? since : by - 1;
    }
}

static void keep(tw_turns *turns, size_t from, size_t to, tw_cursor part)
{
    tw_buffer *kept = &turns->between[from][to];
    kept->size = 0;
    if (part.at == NULL) {
        return;
    }
    if (!tw_buffer_append(kept, turns->memory, part.at,
                          tw_cursor_size(part)) ||
        !tw_buffer_append(kept, turns->memory, "", 1)) {
        turns->failed = true;
        return;
    }
    kept->size--;
    if (to % TW_TURNS_PLACES == TW_TURN_RESULT) {
        punch(kept, NAME, sizeof NAME - 1, TW_NAME_HOLE);
        punch(kept, IDS, sizeof IDS, TW_ID_HOLE);
        kept->data[kept->size] = '\0';
    }
}

/* |part| as far as |other|, if that is there, has the same. */
static tw_cursor shared_with(tw_cursor part, tw_cursor other)
{
    return other.at != NULL ? tw_cursor_shared(part, other) : part;
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

/* The form of an earlier question. */
static void keep_earlier(tw_turns *turns, size_t from, tw_cursor part)
{
    const tw_cursor last =
        tw_cursor_of(tw_turns_between(turns, from, TW_TURN_USER));
    if (tw_cursor_size(part) != tw_cursor_size(last) ||
        tw_cursor_size(tw_cursor_shared(part, last)) < tw_cursor_size(last)) {
        keep(turns, from, TW_TURNS_EARLIER + TW_TURN_USER, part);
    }
}

/* Does the template write generation prompts?  Some write one that nobody
 * asked for, behind the last answer, too. */
static bool has_prompts(tw_turns *turns)
{
    const tw_cursor end = tw_cursor_of(
        tw_turns_between(turns, TW_TURN_ASSISTANT, TW_TURNS_EDGE));
    const tw_cursor next =
        tw_cursor_of(tw_turns_between(turns, TW_TURN_ASSISTANT, TW_TURN_USER));
    tw_buffer prompt = {0};
    tw_buffer plain = {0};
    const bool asked = render(turns, question, true, &prompt) &&
                       render(turns, question, false, &plain) &&
                       prompt.size != plain.size;
    tw_buffer_free(&prompt, turns->memory);
    tw_buffer_free(&plain, turns->memory);
    return asked ||
           tw_cursor_size(tw_cursor_shared(end, next)) < tw_cursor_size(end);
}

/* What stands behind |word|, in front of an answer of any kind: with thoughts
 * or without, of an old turn, or none yet. */
static void keep_head(tw_turns *turns, size_t from, const char *word,
                      const char *asked, const char *thoughtful,
                      tw_cursor head)
{
    tw_buffer prompt = {0};
    tw_buffer thoughts = {0};
    if (has_prompts(turns) && render(turns, asked, true, &prompt)) {
        head = shared_with(head, part_of(&prompt, word, NULL));
    }
    if (render(turns, thoughtful, false, &thoughts)) {
        head = shared_with(head, part_of(&thoughts, word, BECAUSE));
    }
    keep(turns, from, TW_TURN_ASSISTANT, whole_tags(head));
    tw_buffer_free(&prompt, turns->memory);
    tw_buffer_free(&thoughts, turns->memory);
}

/* Questions and answers; false: they cannot be told apart. */
static bool learn_talk(tw_turns *turns, tw_buffer *text)
{
    if (!render(turns, two_answers, false, text)) {
        return false;
    }
    keep(turns, TW_TURNS_EDGE, TW_TURN_USER, part_of(text, NULL, ASKED));
    keep(turns, TW_TURN_ASSISTANT, TW_TURN_USER, part_of(text, SAID, AGAIN));
    keep(turns, TW_TURN_ASSISTANT, TW_TURNS_EDGE, part_of(text, LAST, NULL));
    keep_head(turns, TW_TURN_USER, ASKED, question, thought,
              tw_cursor_shared(part_of(text, ASKED, SAID),
                               part_of(text, AGAIN, LAST)));
    if (render(turns, question, false, text)) {
        keep(turns, TW_TURN_USER, TW_TURNS_EDGE, part_of(text, ASKED, NULL));
        keep_earlier(turns, TW_TURNS_EDGE, part_of(text, NULL, ASKED));
    }
    if (render(turns, three_questions, false, text)) {
        keep_earlier(turns, TW_TURN_ASSISTANT, part_of(text, SAID, AGAIN));
    }
    return tw_turns_between(turns, TW_TURN_USER, TW_TURN_ASSISTANT)->size >
               0 &&
           tw_turns_between(turns, TW_TURN_ASSISTANT, TW_TURN_USER)->size > 0;
}

static void learn_system(tw_turns *turns, tw_buffer *text)
{
    if (render(turns, with_system, false, text)) {
        keep(turns, TW_TURNS_EDGE, TW_TURN_SYSTEM,
             part_of(text, NULL, SYSTEM));
        keep(turns, TW_TURN_SYSTEM, TW_TURN_USER,
             part_of(text, SYSTEM, ASKED));
    }
    if (render(turns, system_goes_on, false, text)) {
        keep_earlier(turns, TW_TURN_SYSTEM, part_of(text, SYSTEM, ASKED));
    }
}

/* What both end with. */
static tw_cursor back_of(tw_cursor one, tw_cursor other)
{
    const char *at = one.end;
    while (at > one.at && (size_t)(one.end - at) < tw_cursor_size(other) &&
           at[-1] == other.end[at - one.end - 1]) {
        at--;
    }
    return (tw_cursor){at, one.end};
}

/* What stands in front of the first result: |behind| without the calls' end,
 * which |alone| has, too, where nobody answers them; or as much as stands in
 * front of another result. */
static tw_cursor head_of_results(tw_cursor behind, tw_cursor alone,
                                 tw_cursor again)
{
    const size_t end = tw_cursor_size(tw_cursor_shared(behind, alone));
    return end > 0 && end < tw_cursor_size(behind)
               ? (tw_cursor){behind.at + end, behind.end}
               : back_of(behind, again);
}

/* Is a quote in a result one behind a backslash? */
static bool quotes_results(tw_turns *turns, tw_buffer *text)
{
    const bool rendered = render(
        turns, ONE_CALL "," RESULT(IDS "0", FOUND "\\\"" OTHER), false, text);
    const tw_cursor all = tw_cursor_of(text);
    return rendered && tw_cursor_find(&all, FOUND "\\\"" OTHER) != NULL;
}

static void learn_results(tw_turns *turns, tw_buffer *text, tw_buffer *other)
{
    const called *with = &two_calls;
    if (!render(turns, with->goes_on, false, text)) {
        with = &one_call;
        if (!render(turns, with->goes_on, false, text)) {
            return;
        }
    }
    const tw_cursor nothing = {NULL, NULL};
    const tw_cursor front = part_of(text, GIVEN, with->first);
    const tw_cursor again =
        with == &two_calls ? part_of(text, FOUND, OTHER) : nothing;
    if (front.at == NULL || (again.at == NULL && with == &two_calls)) {
        return;
    }
    turns->quoted = quotes_results(turns, other);
    const bool ends = render(turns, with->calls, false, other);
    keep(turns, TW_TURN_ASSISTANT, TW_TURN_RESULT,
         head_of_results(front, ends ? part_of(other, GIVEN, NULL) : nothing,
                         again));
    keep(turns, TW_TURN_RESULT, TW_TURN_RESULT, again);
    punch_numbers(turns, &turns->between[TW_TURN_ASSISTANT][TW_TURN_RESULT],
                  &turns->between[TW_TURN_RESULT][TW_TURN_RESULT]);
    keep_head(turns, TW_TURN_RESULT, OTHER, with->results, with->thought,
              part_of(text, OTHER, SAID));
    if (render(turns, with->results, false, other)) {
        keep(turns, TW_TURN_RESULT, TW_TURNS_EDGE,
             part_of(other, OTHER, NULL));
    }
}

/* Turns that seldom follow each other: two questions, a question behind a
 * result, and what a system says later. */
static const struct seldom {
    size_t from;
    size_t to;
    const char *messages;
    const char *first; /* the text of the one ... */
    const char *next;  /* ... and of the other */
    size_t usual;      /* ... which stands behind this else */
} seldom[] = {
    {TW_TURN_USER, TW_TURN_USER,
     MESSAGE("user", ASKED) "," MESSAGE("user", AGAIN), ASKED, AGAIN,
     TW_TURN_ASSISTANT},
    {TW_TURN_RESULT, TW_TURN_USER, ONE_RESULT "," MESSAGE("user", AGAIN),
     OTHER, AGAIN, TW_TURN_ASSISTANT},
    {TW_TURN_USER, TW_TURN_SYSTEM, LATER, ASKED, SYSTEM, TW_TURNS_EDGE},
    {TW_TURN_SYSTEM, TW_TURN_SYSTEM, LATER "," MESSAGE("system", OTHER),
     SYSTEM, OTHER, TW_TURNS_EDGE},
    {TW_TURN_ASSISTANT, TW_TURN_SYSTEM,
     MESSAGE("user", ASKED) "," MESSAGE("assistant",
                                        SAID) "," MESSAGE("system", SYSTEM),
     SAID, SYSTEM, TW_TURNS_EDGE},
};

/* Does |part| end with a tag with which what stands in front of such a turn
 * else ends?  Texts that are joined are one turn. */
static bool has_head(const tw_buffer *usual, tw_cursor part)
{
    const tw_cursor head = part.at != NULL && usual->size > 0
                               ? back_of(part, tw_cursor_of(usual))
                               : (tw_cursor){NULL, NULL};
    return tw_cursor_find(&head, "<") != NULL ||
           tw_cursor_find(&head, "[") != NULL;
}

static void learn_seldom(tw_turns *turns, tw_buffer *text)
{
    for (size_t i = 0; i < sizeof seldom / sizeof seldom[0]; i++) {
        const struct seldom *its = &seldom[i];
        const tw_cursor part = render(turns, its->messages, false, text)
                                   ? part_of(text, its->first, its->next)
                                   : (tw_cursor){NULL, NULL};
        if (has_head(tw_turns_between(turns, its->usual, its->to), part)) {
            keep(turns, its->from, its->to, part);
        }
    }
    if (render(turns, LATER "," MESSAGE("assistant", SAID), false, text)) {
        keep_head(turns, TW_TURN_SYSTEM, SYSTEM, LATER, LATER "," THOUGHT,
                  part_of(text, SYSTEM, SAID));
        tw_buffer *kept = &turns->between[TW_TURN_SYSTEM][TW_TURN_ASSISTANT];
        if (!has_head(tw_turns_between(turns, TW_TURN_USER, TW_TURN_ASSISTANT),
                      tw_cursor_of(kept))) {
            kept->size = 0;
        }
    }
}

/* What all that may stand behind texts of a kind begins with, from its first
 * tag to its last. */
static void learn_end(tw_turns *turns, size_t kind)
{
    tw_cursor end = {NULL, NULL};
    for (size_t to = TW_TURN_USER; to < TW_TURNS_PLACES; to++) {
        const tw_buffer *part = tw_turns_between(turns, kind, to);
        if (part->size > 0) {
            const char *words = (const char *)part->data;
            const tw_cursor other = {words, words + strlen(words)};
            end = end.at != NULL ? tw_cursor_shared(end, other) : other;
        }
    }
    while (end.at < end.end && *end.at != '<' && *end.at != '[') {
        end.at++;
    }
    while (end.at < end.end && end.end[-1] != '>' && end.end[-1] != ']') {
        end.end--;
    }
    if (end.at < end.end) {
        turns->failed |=
            !tw_buffer_append(&turns->ends[kind], turns->memory, end.at,
                              tw_cursor_size(end)) ||
            !tw_buffer_append(&turns->ends[kind], turns->memory, "", 1);
    }
}

int tw_turns_begin(tw_turns *turns, const tw_template *template_,
                   const tw_format *format)
{
    tw_turns_free(turns);
    turns->front.size = turns->found.out.size = 0;
    turns->encoder =
        template_ != NULL
            ? tw_encoder_new_template(template_, format, turns->memory)
            : tw_encoder_new(format, turns->memory);
    turns->failed = turns->encoder == NULL;
    if (!turns->failed) { /* what a transcript quotes stands in it */
        tw_encoder_set(turns->encoder, TW_OPTION_CONTROL_TEXT,
                       TW_CONTROL_TEXT_ALLOW);
        tw_turns_learn_tools(turns);
    }
    return turns->failed ? TW_ERROR_MEMORY : TW_OK;
}

/* Are |tools| those that were learned with? */
static bool is_learned(const tw_turns *turns, const char *tools, size_t size)
{
    const size_t known = turns->tools.size > 0 ? turns->tools.size - 1 : 0;
    return turns->known && known == size &&
           (size == 0 || memcmp(turns->tools.data, tools, size) == 0);
}

int tw_turns_learn(tw_turns *turns, const char *tools, size_t size)
{
    tw_buffer text = {0};
    tw_buffer other = {0};
    if (is_learned(turns, tools, size)) {
        return TW_OK;
    }
    tw_turns_forget(turns);
    turns->tools.size = 0;
    turns->failed =
        size > 0 &&
        (!tw_buffer_append(&turns->tools, turns->memory, tools, size) ||
         !tw_buffer_append(&turns->tools, turns->memory, "", 1));
    if (!turns->failed && learn_talk(turns, &text)) {
        learn_system(turns, &text);
        learn_results(turns, &text, &other);
        learn_seldom(turns, &text);
        for (size_t kind = 0; kind < TW_TURNS_KINDS; kind++) {
            learn_end(turns, kind);
        }
        turns->known = !turns->failed;
    }
    tw_buffer_free(&text, turns->memory);
    tw_buffer_free(&other, turns->memory);
    return turns->failed  ? TW_ERROR_MEMORY
           : turns->known ? TW_OK
                          : TW_ERROR_CANNOT_CARRY;
}
