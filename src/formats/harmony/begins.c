/* SPDX-License-Identifier: MIT
 *
 * Where a Harmony header begins: one table says what it may begin with, place
 * by place, and one look follows it, byte by byte as they arrive.
 */
#include <string.h>

#include "core/ascii.h"
#include "formats/harmony/state.h"

/* Beside words, what a look may meet. */
enum {
    ON_SPACE = TW_WORD_LAST << 1,  /* of ASCII, the one byte */
    ON_BLANK = TW_WORD_LAST << 2,  /* ... and its other blanks */
    ON_NAME = TW_WORD_LAST << 3,   /* a byte of a name */
    ON_LETTER = TW_WORD_LAST << 4, /* a small one */
    ON_ANY = TW_WORD_LAST << 5,
    ON_MARKER = TW_WORD_LAST << 6 /* a marker behind which a header goes on */
};

enum { YES = TW_BEGINS_ROWS, BODY, NO };

/* Behind |from|, |on| leads to |to|.  The first row that fits counts; the last
 * one is for what is not listed. */
static const struct edge {
    uint8_t from;
    uint8_t to;
    uint32_t on;
} edges[] = {
    /* Text in front of any marker: `to=f`, `assistant to=f`.  A channel that
     * is glued to its author waits for its marker. */
    {TW_BEGINS_GAP, YES, TW_WORD_TO},
    {TW_BEGINS_GAP, TW_BEGINS_GAP_WORD, TW_WORD_ASSISTANT | TW_WORD_CHANNEL},
    {TW_BEGINS_GAP_WORD, TW_BEGINS_TO, ON_BLANK},
    {TW_BEGINS_GAP_WORD, TW_BEGINS_GLUED, TW_WORD_CHANNEL},
    {TW_BEGINS_GLUED, TW_BEGINS_GLUED, ON_ANY},
    {TW_BEGINS_TO, YES, TW_WORD_TO},
    /* Behind <|start|> in a body: `assistant<|channel|>`, `f.g to=assistant`.
     */
    {TW_BEGINS_START, TW_BEGINS_START, ON_NAME},
    {TW_BEGINS_START, TW_BEGINS_START_TO, ON_SPACE},
    {TW_BEGINS_START, YES, ON_MARKER},
    {TW_BEGINS_START_TO, YES, TW_WORD_TO | ON_MARKER},
    /* Behind <|channel|> in a body: `final<|message|>`, `commentary to=f`. */
    {TW_BEGINS_CHANNEL, TW_BEGINS_CHANNEL, ON_SPACE},
    {TW_BEGINS_CHANNEL, TW_BEGINS_CHANNEL_WORD, TW_WORD_CHANNEL},
    {TW_BEGINS_CHANNEL, YES, ON_MARKER},
    {TW_BEGINS_CHANNEL_WORD, TW_BEGINS_CHANNEL_TO, ON_SPACE},
    {TW_BEGINS_CHANNEL_WORD, YES, ON_MARKER},
    {TW_BEGINS_CHANNEL_TO, TW_BEGINS_CHANNEL_TO, ON_SPACE},
    {TW_BEGINS_CHANNEL_TO, YES,
     TW_WORD_TO | TW_WORD_FUNCTIONS | TW_WORD_CALL_TYPE | ON_MARKER},
    /* Without markers: `analysisThe user`, but not `analysis of`;
     * `assistantfinally` is an answer, `finally` a word. */
    {TW_BEGINS_BARE, TW_BEGINS_BARE_ROLE, TW_WORD_ASSISTANT},
    {TW_BEGINS_BARE, TW_BEGINS_BARE_FINAL, TW_WORD_FINAL},
    {TW_BEGINS_BARE, TW_BEGINS_BARE_CHANNEL, TW_WORD_CHANNEL},
    {TW_BEGINS_BARE, YES, TW_WORD_TO},
    {TW_BEGINS_BARE_ROLE, TW_BEGINS_BARE_CHANNEL, TW_WORD_CHANNEL},
    {TW_BEGINS_BARE_ROLE, TW_BEGINS_TO, ON_BLANK},
    {TW_BEGINS_BARE_ROLE, YES, TW_WORD_TO},
    {TW_BEGINS_BARE_FINAL, NO, ON_LETTER},
    {TW_BEGINS_BARE_FINAL, TW_BEGINS_BARE_TO, ON_SPACE},
    {TW_BEGINS_BARE_FINAL, NO, ON_BLANK},
    {TW_BEGINS_BARE_FINAL, BODY, ON_ANY},
    {TW_BEGINS_BARE_CHANNEL, TW_BEGINS_BARE_TO, ON_SPACE},
    {TW_BEGINS_BARE_CHANNEL, NO, ON_BLANK},
    {TW_BEGINS_BARE_CHANNEL, BODY, ON_ANY},
    {TW_BEGINS_BARE_TO, YES, TW_WORD_TO},
    {TW_BEGINS_NOTHING, NO, 0},
};

/* Of the places where something holds. */
static const struct row {
    uint8_t most;  /* so many bytes of text are waited for; 0: any number */
    bool blanks;   /* any number of them goes by */
    bool any_case; /* words are read in capitals, too */
    bool anew;     /* the text is counted from here on */
    bool framing;  /* what stands in front of here is framing */
} rows[TW_BEGINS_ROWS] = {
    [TW_BEGINS_GAP] = {.blanks = true},
    [TW_BEGINS_GAP_WORD] = {.anew = true},
    [TW_BEGINS_GLUED] = {.most = 9},
    [TW_BEGINS_CHANNEL] = {.most = 19, .any_case = true},
    [TW_BEGINS_CHANNEL_TO] = {.most = 31, .any_case = true},
    [TW_BEGINS_TO] = {.blanks = true},
    [TW_BEGINS_BARE] = {.blanks = true, .framing = true},
    [TW_BEGINS_BARE_ROLE] = {.framing = true},
};

/* ---- one step ----------------------------------------------------------- */

/* What the words behind |row| may be. */
static uint32_t words_behind(uint8_t row)
{
    uint32_t kinds = 0;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        kinds |= edges[i].from == row ? edges[i].on : 0;
    }
    return kinds;
}

/* The word that is read goes on with |c|; returns its kinds if it is whole. */
static uint32_t read_letter(tw_harmony_look *look, uint8_t c)
{
    const uint32_t kinds = look->letters == 0 ? words_behind(look->row) : 0;
    const uint32_t before = look->words;
    uint32_t whole = 0;
    if (rows[look->row].any_case && c >= 'A' && c <= 'Z') {
        c = (uint8_t)(c + 'a' - 'A');
    }
    look->words = 0;
    for (size_t i = 0; i < TW_WORDS; i++) {
        const tw_harmony_word *word = &tw_harmony_words[i];
        if (((word->kinds & kinds) == 0 && (before >> i & 1) == 0) ||
            (uint8_t)word->text[look->letters] != c) {
            continue;
        }
        look->words |= UINT32_C(1) << i;
        if (word->text[look->letters + 1] == 0) {
            whole = word->kinds;
            look->channel = (whole & TW_WORD_CHANNEL) != 0
                                ? (tw_channel)(i + 1)
                                : look->channel;
        }
    }
    return whole;
}

static uint32_t kinds_of_byte(uint8_t c)
{
    return ON_ANY | (c == ' ' ? ON_SPACE : 0) |
           (tw_slice_is_space(c) ? ON_BLANK : 0) |
           (tw_is_name_byte(c) ? ON_NAME : 0) |
           (c >= 'a' && c <= 'z' ? ON_LETTER : 0);
}

/* What was met leads on; the next byte is at |offset|. */
static void follow(tw_harmony_look *look, uint32_t on, uint64_t offset)
{
    static const tw_verdict ends[] = {TW_VERDICT_YES, TW_VERDICT_BODY,
                                      TW_VERDICT_NO};
    const struct edge *edge = edges;
    while (edge->from != TW_BEGINS_NOTHING &&
           (edge->from != look->row || (edge->on & on) == 0)) {
        edge++;
    }
    look->letters = 0;
    look->words = 0;
    if (edge->to >= YES) {
        look->verdict = ends[edge->to - YES];
        return;
    }
    look->row = edge->to;
    look->text = rows[look->row].anew ? offset : look->text;
    look->used = rows[look->row].framing ? offset : look->used;
}

/* Text is not waited for without end. */
static void check_limits(tw_harmony_look *look, uint64_t offset)
{
    const size_t most = rows[look->row].most;
    const bool bare = look->start == TW_BEGINS_BARE;
    const size_t all = look->start == TW_BEGINS_GAP ? TW_HARMONY_GAP_LIMIT
                                                    : TW_HARMONY_HEADER_LIMIT;
    const bool far = offset - look->begin > all;
    if ((far && (bare || look->verdict == TW_VERDICT_WAIT)) ||
        (look->verdict == TW_VERDICT_WAIT && most > 0 &&
         offset - look->text > most)) {
        look->verdict = TW_VERDICT_NO;
    }
}

/* The byte |c| of text at |look->seen|. */
static void see_byte(tw_harmony_look *look, uint8_t c)
{
    const uint64_t behind = look->seen + 1;
    const bool inside = look->letters > 0;
    const bool blank =
        !inside && rows[look->row].blanks && tw_slice_is_space(c);
    const uint32_t whole = blank ? 0 : read_letter(look, c);
    if (blank) {
        look->used = rows[look->row].framing ? behind : look->used;
    } else if (whole == 0 && look->words != 0) {
        look->letters++;
    } else if (whole == 0 && inside) {
        look->verdict = TW_VERDICT_NO;
    } else {
        follow(look, whole != 0 ? whole : kinds_of_byte(c), behind);
    }
    if (look->verdict == TW_VERDICT_BODY) {
        look->used = look->seen;
    }
    look->seen = behind;
    check_limits(look, behind);
}

/* ---- text without markers ----------------------------------------------- */

static void begin_look(tw_harmony_look *look, uint8_t start, uint64_t begin,
                       uint64_t text)
{
    if (look->begin == begin && look->start == start) {
        return;
    }
    memset(look, 0, sizeof *look);
    look->start = look->row = start;
    look->begin = begin;
    look->seen = look->text = look->used = text;
    look->verdict = TW_VERDICT_WAIT;
}

static const uint8_t *place_of(const tw_window *window, uint64_t offset)
{
    return window->at + (offset - window->offset);
}

tw_verdict tw_harmony_look_at(tw_harmony *state, uint8_t start,
                              const uint8_t *begin, const uint8_t *to)
{
    tw_harmony_look *look = &state->next;
    const uint64_t offset = tw_window_offset(state->window, begin);
    begin_look(look, start, offset, offset);
    const uint8_t *at = place_of(state->window, look->seen);
    while (look->verdict == TW_VERDICT_WAIT && at < to) {
        see_byte(look, *at++);
    }
    return look->verdict;
}

const uint8_t *tw_harmony_find_stripped(tw_harmony *state, const uint8_t *to,
                                        tw_verdict *verdict)
{
    const uint8_t *at = state->window->at;
    *verdict = TW_VERDICT_NO;
    while (at < to && (at = memchr(at, 'a', (size_t)(to - at))) != NULL) {
        const size_t left = (size_t)(to - at);
        if (memcmp(at, "assistant", left < 9 ? left : 9) == 0) {
            *verdict = tw_harmony_look_at(state, TW_BEGINS_BARE, at, to);
        }
        if (*verdict != TW_VERDICT_NO) {
            return at;
        }
        at++;
    }
    return to;
}

/* ---- inside a body ------------------------------------------------------ */

/* May |word|, behind <|start|>, end at a blank?  At a |marker| there may be
 * none. */
static bool is_author(tw_slice word, bool marker)
{
    return tw_slice_is_role(word) ||
           tw_channel_named(word) != TW_CHANNEL_NONE ||
           tw_slice_is(word, "python") ||
           tw_slice_before(word, '.').to < word.to ||
           (marker && TW_SLICE_SIZE(word) == 0);
}

/* A marker of |size| bytes at |look->seen|. */
static void see_marker(tw_harmony_look *look, tw_harmony_marker marker,
                       size_t size)
{
    const uint64_t behind = look->seen + size;
    const bool header = marker == TW_HARMONY_CHANNEL ||
                        marker == TW_HARMONY_MESSAGE ||
                        marker == TW_HARMONY_CONSTRAIN;
    if (marker == TW_HARMONY_START && look->row == TW_BEGINS_START &&
        look->text == look->seen) {
        look->text = behind;
    } else if (header && look->letters == 0) {
        follow(look, ON_MARKER, behind);
    } else {
        look->verdict = TW_VERDICT_NO;
    }
    check_limits(look, behind);
    look->seen = look->verdict == TW_VERDICT_WAIT ? behind : look->seen;
}

tw_verdict tw_harmony_next_header(tw_harmony *state, const uint8_t *begin,
                                  const uint8_t **end)
{
    const tw_window *window = state->window;
    tw_harmony_look *look = &state->next;
    size_t size;
    const bool start =
        tw_harmony_marker_at(window, begin, &size) == TW_HARMONY_START;
    const uint64_t offset = tw_window_offset(window, begin);
    begin_look(look, start ? TW_BEGINS_START : TW_BEGINS_CHANNEL, offset,
               offset + size);
    while (look->verdict == TW_VERDICT_WAIT) {
        const uint8_t *at = place_of(window, look->seen);
        const tw_harmony_marker marker =
            at < window->limit && *at == '<'
                ? tw_harmony_marker_at(window, at, &size)
                : TW_HARMONY_NONE;
        if (at == window->limit || marker == TW_HARMONY_MORE) {
            break;
        }
        const tw_slice word = {place_of(window, look->text), at};
        if (look->row == TW_BEGINS_START &&
            (marker != TW_HARMONY_NONE || *at == ' ') &&
            marker != TW_HARMONY_START &&
            !is_author(word, marker != TW_HARMONY_NONE)) {
            look->seen += marker == TW_HARMONY_NONE;
            look->verdict = TW_VERDICT_NO;
        } else if (marker != TW_HARMONY_NONE) {
            see_marker(look, marker, size);
        } else {
            see_byte(look, *at);
            look->seen -= look->verdict == TW_VERDICT_YES; /* it is header */
        }
    }
    /* A marker that ends it is read for itself. */
    *end = place_of(window, look->seen);
    return look->verdict;
}
