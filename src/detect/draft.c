/* SPDX-License-Identifier: MIT
 *
 * Where the words of the probes stand in what a template wrote, and what
 * stands around them: a call's form, what is around all calls, what a turn
 * ends with.
 */
#include "detect/draft.h"

#include <string.h>

#include "core/skip.h"
#include "json/write.h"

#define NOWHERE SIZE_MAX
#define NAME "get_tide"
#define WORDS "All is well."

enum { ONE, TWO, TEXT, TEXT_AND_CALL, FLAG, REASONED };

/* Bytes [begin, end) of a turn. */
typedef struct part {
    size_t begin;
    size_t end;
} part;

typedef struct draft {
    tw_buffer *json;
    const tw_memory *memory;
    const tw_draft_turn *turns;
    bool failed; /* no memory */
    /* Of the turn with one call. */
    part call;      /* from its first hole to its last */
    part name;      /* in it; of JSON objects the object's */
    part arguments; /* ... or of those between tags all of them */
    bool object;    /* name and arguments are in one JSON object ... */
    bool list;      /* ... in a list */
    part argument;  /* between tags: the first, with its tags */
    part key;
    part value;
    size_t head;  /* where an empty block of reasoning ends in all turns */
    size_t open;  /* where the call's own words begin ... */
    size_t close; /* ... and end: behind them all calls' do */
    part between; /* of the turn with two calls: what parts them */
    size_t stop;  /* where what ends the turn begins */
} draft;

/* ---- finding ------------------------------------------------------------ */

static size_t find(const tw_draft_turn *turn, size_t from, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = from; at + size <= turn->size; at++) {
        if (memcmp(turn->text + at, word, size) == 0) {
            return at;
        }
    }
    return NOWHERE;
}

static size_t behind_blanks(const tw_draft_turn *turn, size_t at)
{
    while (at < turn->size && tw_is_ws(turn->text[at])) {
        at++;
    }
    return at;
}

static size_t before_blanks(const tw_draft_turn *turn, size_t at)
{
    while (at > 0 && tw_is_ws(turn->text[at - 1])) {
        at--;
    }
    return at;
}

static bool is_blank(const tw_draft_turn *turn, size_t from, size_t to)
{
    return behind_blanks(turn, from) >= to;
}

/* Behind |json|, white space aside, which begins at |at|; NOWHERE. */
static size_t behind_json(const tw_draft_turn *turn, size_t at,
                          const char *json)
{
    while (*json != '\0' && at < turn->size) {
        if (turn->text[at] == *json) {
            json++;
        } else if (!tw_is_ws(turn->text[at])) {
            return NOWHERE;
        }
        at++;
    }
    return *json == '\0' ? at : NOWHERE;
}

/* The first |json| from |from| on; |begin| NOWHERE: there is none. */
static part find_json(const tw_draft_turn *turn, size_t from, const char *json)
{
    part found = {find(turn, from, "{"), 0};
    while (found.begin != NOWHERE) {
        found.end = behind_json(turn, found.begin, json);
        if (found.end != NOWHERE) {
            return found;
        }
        found.begin = find(turn, found.begin + 1, "{");
    }
    return found;
}

/* ---- a call ------------------------------------------------------------- */

/* The name of the member whose value begins at |at|. */
static part key_of(const tw_draft_turn *turn, size_t at)
{
    part key = {0, before_blanks(turn, at)};
    key.end = before_blanks(turn, key.end - (key.end > 0));
    key.end -= key.end > 0;
    key.begin = key.end;
    while (key.begin > 0 && turn->text[key.begin - 1] != '"') {
        key.begin--;
    }
    return key;
}

/* The object that holds the name and the arguments. */
static bool find_object(draft *work)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    const size_t first = work->name.begin < work->arguments.begin
                             ? work->name.begin
                             : work->arguments.begin;
    const size_t last = work->name.begin < work->arguments.begin
                            ? work->arguments.end
                            : work->name.end + 1;
    size_t open = first;
    while (open > 0 && turn->text[open] != '{') {
        open--;
    }
    const size_t close = behind_blanks(turn, last);
    work->object = work->name.begin > 0 &&
                   turn->text[work->name.begin - 1] == '"' &&
                   turn->text[open] == '{' && close < turn->size &&
                   turn->text[close] == '}';
    if (work->object) {
        const size_t before = before_blanks(turn, open);
        const size_t behind = behind_blanks(turn, close + 1);
        work->call = (part){open, close + 1};
        work->list = before > 0 && turn->text[before - 1] == '[' &&
                     behind < turn->size && turn->text[behind] == ']';
        if (work->list) {
            work->call = (part){before - 1, behind + 1};
        }
    }
    return work->object;
}

/* `days` and 2, `harbour` and Brest, each between words that are alike. */
static bool find_tags(draft *work)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    const size_t days = find(turn, work->name.end, "days");
    const size_t two = days != NOWHERE ? find(turn, days + 4, "2") : NOWHERE;
    const size_t harbour =
        two != NOWHERE ? find(turn, two + 1, "harbour") : NOWHERE;
    const size_t brest =
        harbour != NOWHERE ? find(turn, harbour + 7, "Brest") : NOWHERE;
    if (brest == NOWHERE || two - days - 4 != brest - harbour - 7 ||
        memcmp(turn->text + days + 4, turn->text + harbour + 7,
               two - days - 4) != 0) {
        return false;
    }
    /* Both values end alike: up to the last whole tag. */
    size_t same = 0;
    size_t close = 0;
    while (two + 1 + same < harbour && brest + 5 + same < turn->size &&
           turn->text[two + 1 + same] == turn->text[brest + 5 + same]) {
        const char c = turn->text[two + 1 + same++];
        const bool blank = tw_is_ws(c) && close > 0 && close + 1 == same;
        close = c == '>' || c == ']' || blank ? same : close;
    }
    const size_t begin = behind_blanks(turn, two + 1 + close) < harbour
                             ? behind_blanks(turn, two + 1 + close)
                             : harbour;
    const size_t open = harbour - begin; /* the size of an argument's open */
    if (days < work->name.end + open ||
        memcmp(turn->text + days - open, turn->text + begin, open) != 0) {
        return false;
    }
    work->argument = (part){days - open, two + 1 + close};
    work->key = (part){days, days + 4};
    work->value = (part){two, two + 1};
    work->arguments = (part){days - open, brest + 5 + close};
    work->call = (part){work->name.begin, work->arguments.end};
    return true;
}

static bool find_call(draft *work)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    const size_t name = find(turn, 0, NAME);
    if (name == NOWHERE) {
        return false;
    }
    work->name = (part){name, name + sizeof NAME - 1};
    work->arguments = find_json(turn, 0, tw_probes[ONE].calls);
    if (work->arguments.begin == NOWHERE) {
        return find_tags(work);
    }
    if (find_object(work)) {
        return true;
    }
    work->call = (part){name, work->arguments.end};
    return work->arguments.begin >= work->name.end;
}

/* ---- what stands around ------------------------------------------------- */

/* What ends a text is what ends a turn; else the last marker does. */
static bool find_stop(draft *work)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    const tw_draft_turn *text = &work->turns[TEXT];
    const size_t words = find(text, 0, WORDS);
    work->head = words != NOWHERE && !is_blank(text, 0, words) ? words : 0;
    if (words == NOWHERE || work->head > work->call.begin ||
        memcmp(text->text, turn->text, work->head) != 0) {
        return false;
    }
    const size_t end = behind_blanks(text, words + sizeof WORDS - 1);
    const size_t size = text->size - end;
    work->stop = before_blanks(turn, turn->size);
    if (size <= turn->size && turn->size - size >= work->call.end &&
        memcmp(text->text + end, turn->text + turn->size - size, size) == 0) {
        work->stop = turn->size - size;
        return true;
    }
    while (work->stop > work->call.end && turn->text[work->stop - 1] != '<') {
        work->stop--;
    }
    work->stop -= work->stop > work->call.end;
    return true;
}

/* The second of two calls, found as the first was: where its first hole is. */
static size_t second_call(const draft *work, size_t *first_end)
{
    const tw_draft_turn *two = &work->turns[TWO];
    const size_t name = find(two, 0, NAME);
    const size_t other = name != NOWHERE ? find(two, name + 1, NAME) : NOWHERE;
    if (other == NOWHERE) {
        return NOWHERE;
    }
    const size_t shift = name - work->name.begin; /* blanks in front */
    *first_end = work->call.end + shift;
    return other - (work->name.begin - work->call.begin);
}

/* What is each call's own, and what stands around all of them, is told by what
 * stands between two. */
static bool find_own(draft *work)
{
    const tw_draft_turn *one = &work->turns[ONE];
    const tw_draft_turn *two = &work->turns[TWO];
    size_t end = 0;
    work->open = work->head;
    work->close = work->stop;
    if (two->size == 0 || work->list) {
        return true;
    }
    const size_t next = second_call(work, &end);
    if (next == NOWHERE || next < end) {
        return false;
    }
    const char *words = two->text + end;
    const size_t size = next - end;
    size_t behind = 0; /* how much of these closes the first */
    size_t close = 0;
    while (behind < size && work->call.end + behind < work->stop &&
           one->text[work->call.end + behind] == words[behind]) {
        const char c = words[behind++];
        close = c == '>' || c == ']' || tw_is_ws(c) ? behind : close;
    }
    close = behind == size || work->call.end + behind == work->stop ? behind
                                                                    : close;
    size_t before = 0; /* ... and opens the second */
    size_t open = 0;
    while (before + close < size && before < work->call.begin - work->head &&
           one->text[work->call.begin - before - 1] ==
               words[size - before - 1]) {
        const char c = words[size - ++before];
        open = c == '<' || c == '[' ? before : open;
    }
    open = before == work->call.begin - work->head ? before : open;
    work->open = work->call.begin - open;
    work->close = work->call.end + close;
    work->between = (part){end + close, next - open};
    return true;
}

/* ---- what is written ---------------------------------------------------- */

static void put(draft *work, const void *data, size_t size)
{
    work->failed |= !tw_buffer_append(work->json, work->memory, data, size);
}

static void put_word(draft *work, const char *word)
{
    put(work, word, strlen(word));
}

/* As a string of JSON without its quotes. */
static void put_text(draft *work, const char *text, size_t size)
{
    tw_buffer quoted = {0};
    work->failed |= !tw_json_write_string(&quoted, work->memory, text, size);
    if (quoted.size > 2) {
        put(work, quoted.data + 1, quoted.size - 2);
    }
    tw_buffer_free(&quoted, work->memory);
}

/* Adds the words as a pattern spells them. */
static void put_words(draft *work, const tw_draft_turn *turn, size_t from,
                      size_t to)
{
    for (size_t at = from; at < to;) {
        size_t end = at;
        while (end < to && turn->text[end] != '{' && turn->text[end] != '}') {
            end++;
        }
        put_text(work, turn->text + at, end - at);
        if (end < to) { /* a brace is two */
            put(work, turn->text + end, 1);
            put(work, turn->text + end, 1);
            end++;
        }
        at = end;
    }
}

/* The words from |from| to |to| with the hole in place of |place|. */
static void put_around(draft *work, size_t from, part place, const char *hole,
                       size_t to)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    put_words(work, turn, from, place.begin);
    put_word(work, hole);
    put_words(work, turn, place.end, to);
}

static void put_call(draft *work)
{
    const tw_draft_turn *turn = &work->turns[ONE];
    put_word(work, "{\"format\":1,\"call\":\"");
    if (work->object) {
        put_around(work, work->open, work->call,
                   work->list ? "{list}" : "{object}", work->close);
        put_word(work, "\",\"name_key\":\"");
        const part name = key_of(turn, work->name.begin - 1);
        put_words(work, turn, name.begin, name.end);
        put_word(work, "\",\"arguments_key\":\"");
        const part arguments = key_of(turn, work->arguments.begin);
        put_words(work, turn, arguments.begin, arguments.end);
    } else {
        put_around(work, work->open, work->name, "{name}",
                   work->arguments.begin);
        put_word(work, "{arguments}");
        put_words(work, turn, work->arguments.end, work->close);
    }
    if (work->argument.end > 0) {
        put_word(work, "\",\"argument\":\"");
        put_words(work, turn, work->argument.begin, work->key.begin);
        put_word(work, "{key}");
        put_around(work, work->key.end, work->value, "{value}",
                   work->argument.end);
    }
    if (work->open > work->head || work->close < work->stop) {
        put_word(work, "\",\"calls\":\"");
        put_around(work, work->head, (part){work->open, work->close},
                   "{calls}", work->stop);
    }
    if (work->between.end > work->between.begin) {
        put_word(work, "\",\"between\":\"");
        put_words(work, &work->turns[TWO], work->between.begin,
                  work->between.end);
    }
}

/* What stands around a thought in front of a call. */
static void put_reasoning(draft *work)
{
    const tw_draft_turn *one = &work->turns[ONE];
    const tw_draft_turn *turn = &work->turns[REASONED];
    const size_t begin = find(turn, 0, TW_PROBE_THOUGHT);
    const size_t end = begin + sizeof TW_PROBE_THOUGHT - 1;
    if (begin == NOWHERE || is_blank(turn, 0, begin) ||
        turn->size < end + one->size - work->head) {
        return;
    }
    put_word(work, "\",\"reasoning\":\"");
    put_words(work, turn, 0, begin);
    put_word(work, "{text}");
    put_words(work, turn, end, turn->size - (one->size - work->head));
    if (work->head > 0) {
        put_word(work, "\",\"no_reasoning\":\"");
        put_words(work, one, 0, work->head);
    }
}

/* What ends a turn, blanks aside. */
static part stop_of(const tw_draft_turn *turn, size_t from)
{
    const size_t begin = behind_blanks(turn, from);
    const size_t end = before_blanks(turn, turn->size);
    return (part){begin, end > begin ? end : begin};
}

/* Behind a text and behind calls. */
static void put_stops(draft *work, const char *key)
{
    const tw_draft_turn *one = &work->turns[ONE];
    const tw_draft_turn *text = &work->turns[TEXT];
    const part first = stop_of(text, find(text, 0, WORDS) + sizeof WORDS - 1);
    const part second = stop_of(one, work->stop);
    const size_t size = first.end - first.begin;
    const bool alike =
        size == second.end - second.begin &&
        memcmp(text->text + first.begin, one->text + second.begin, size) == 0;
    if (size == 0 || second.end == second.begin) {
        return;
    }
    put_word(work, key);
    put_words(work, text, first.begin, first.end);
    if (!alike) {
        put_word(work, "\",\"");
        put_words(work, one, second.begin, second.end);
    }
    put_word(work, "\"]");
}

static void put_end(draft *work)
{
    const tw_draft_turn *one = &work->turns[ONE];
    put_word(work, "\"");
    put_stops(work, ",\"stops\":[\"");
    put_stops(work, ",\"end\":[\"");
    put_word(work, ",\"example\":\"");
    put_text(work, one->text, before_blanks(one, one->size));
    put_word(work, "\"}");
}

bool tw_draft_make(tw_buffer *json, const tw_memory *memory,
                   const tw_draft_turn turns[TW_PROBES], bool *failed)
{
    draft work = {.json = json, .memory = memory, .turns = turns};
    json->size = 0;
    if (!find_call(&work) || !find_stop(&work) || !find_own(&work) ||
        is_blank(&turns[ONE], work.head, work.call.begin)) { /* as text is */
        return false;
    }
    put_call(&work);
    put_reasoning(&work);
    put_end(&work);
    *failed |= work.failed;
    return !work.failed;
}
