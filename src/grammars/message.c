/* SPDX-License-Identifier: MIT
 *
 * A whole message as rules: reasoning, text that holds no opener, calls, the
 * end.
 *
 * Targets with a lexer see one terminal at a time and do not go back, so that
 * free text and the marker behind it are one terminal.
 */
#include "grammars/make.h"

/* What a message is made of. */
typedef struct frame {
    tw_grammar_calls calls[TW_PATTERNS_MOST];
    size_t count;
    uint32_t text_free;               /* what text does not hold ... */
    uint32_t reasoning_free;          /* ... and reasoning */
    uint32_t rests[TW_PATTERNS_MOST]; /* rules of the calls */
    uint32_t end;                     /* the rule of what stands behind them */
    bool first; /* nothing stands before what is being made */
    bool starts_inside;
    bool none; /* no calls */
    bool due;  /* at least one */
} frame;

static const tw_pattern *canonical(const tw_patterns *patterns)
{
    return patterns->count > 0 && !patterns->all[0].loose ? patterns->all
                                                          : NULL;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == 0;
}

/* ---- what free text does not hold --------------------------------------- */

static void forbid_words(tw_grammar_maker *maker, const char *const *words)
{
    for (; *words != NULL; words++) {
        tw_rule_free_add(&maker->rules, *words, strlen(*words));
    }
}

/* The openers of all calls, as they are written. */
static void forbid_calls(tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const tw_patterns *const both[] = {&description->calls,
                                       &description->call};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < both[k]->count; i++) {
            const tw_pattern *pattern = &both[k]->all[i];
            const size_t first = tw_pattern_first(pattern);
            const tw_part *open = tw_pattern_literal(pattern, first);
            if (open != NULL && !pattern->loose) {
                tw_rule_free_add(&maker->rules, open->text,
                                 pattern->plain
                                     ? open->size
                                     : tw_pattern_marker(pattern, first));
            }
        }
    }
    tw_grammar_forbid(maker, TW_AT_CALL | TW_AT_SECTION);
}

static void forbid_end(tw_grammar_maker *maker)
{
    const tw_description *description = maker->description;
    const char *const ends[] = {description->end, description->end_of_call,
                                description->between};
    forbid_words(maker, description->stops);
    for (size_t i = 0; i < 3; i++) {
        const char *at = ends[i] + strspn(ends[i], " \t\r\n");
        size_t size = strlen(at);
        while (size > 0 && strchr(" \t\r\n", at[size - 1]) != NULL) {
            size--;
        }
        if (at[0] == '<' || at[0] == '[') {
            tw_rule_free_add(&maker->rules, at, size);
        }
    }
}

static void find_free(tw_grammar_maker *maker, frame *all)
{
    all->text_free = tw_rule_free_new(&maker->rules);
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_OUTSIDE | TW_AT_STOP);
    forbid_words(maker, maker->description->tokens);
    all->reasoning_free = tw_rule_free_new(&maker->rules);
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_REASONING_END | TW_AT_STOP);
}

/* What a value between tags does not hold: its close, another's open, what
 * ends the call or the message. */
static void find_tags(tw_grammar_maker *maker)
{
    const tw_patterns *all = &maker->description->argument;
    const uint32_t free = tw_rule_free_new(&maker->rules);
    maker->string_tag.free = maker->other_tag.free = free;
    for (size_t i = 0; i < all->count; i++) {
        const tw_pattern *pattern = &all->all[i];
        const uint8_t hole = tw_pattern_hole(pattern)->kind;
        const tw_part *close = tw_pattern_literal(
            pattern, tw_pattern_next(pattern, pattern->hole));
        const size_t first = tw_pattern_first(pattern);
        const tw_part *open = tw_pattern_literal(pattern, first);
        if (pattern->loose) {
            continue;
        }
        if (close != NULL) {
            tw_rule_free_add(&maker->rules, close->text, close->size);
        }
        if (open != NULL) {
            tw_rule_free_add(&maker->rules, open->text,
                             tw_pattern_marker(pattern, first));
        }
        if (hole != TW_PATTERN_VALUE_JSON &&
            maker->string_tag.pattern == NULL) {
            maker->string_tag.pattern = pattern;
        }
        if (hole != TW_PATTERN_VALUE_TEXT &&
            maker->other_tag.pattern == NULL) {
            maker->other_tag.pattern = pattern;
        }
    }
    if (maker->description->entities == TW_ENTITIES_ALL) {
        tw_rule_free_add(&maker->rules, "<", 1);
        tw_rule_free_add(&maker->rules, "&", 1);
    }
    forbid_calls(maker);
    forbid_end(maker);
    tw_grammar_forbid(maker, TW_AT_STOP | TW_AT_CALL_END | TW_AT_SECTION_END);
    maker->cdata = tw_rule_free_new(&maker->rules);
    tw_rule_free_add(&maker->rules, "]]>", 3);
    forbid_end(maker);
}

/* ---- tokens ------------------------------------------------------------- */

/* How much of |words|, which begin a message, the format's prompt ends with.
 */
static size_t written(const tw_grammar_maker *maker, const char *words,
                      size_t size)
{
    const char *turn = maker->description->turns[0];
    const size_t most = turn != NULL ? strlen(turn) : 0;
    size_t n = size < most ? size : most;
    while (n > 0 && memcmp(turn + most - n, words, n) != 0) {
        n--;
    }
    return n;
}

/* How much of |words| opens calls by itself: a lexer that takes all of it
 * could not go back to a call. */
static size_t shared(const frame *all, const char *words, size_t size)
{
    size_t found = 0;
    for (size_t i = 0; i < all->count; i++) {
        const size_t most = all->calls[i].open_size;
        if (most < size && most > found &&
            memcmp(all->calls[i].open, words, most) == 0) {
            found = most;
        }
    }
    return found;
}

/* Words that begin something, with their layout in front, which may be
 * missing.  |first|: what the prompt has of them may be, too. */
static uint32_t opener(tw_grammar_maker *maker, const frame *all,
                       const char *front, const char *words, size_t size,
                       bool first)
{
    tw_rules *rules = &maker->rules;
    const size_t there = first ? written(maker, words, size) : 0;
    const size_t part = shared(all, words, size);
    const size_t to = part > there ? part : size;
    const uint32_t begin =
        tw_rule_maybe(rules, tw_rule_sized(rules, words, there));
    uint32_t node = tw_rule_of(
        rules, "open", true,
        tw_rule_sequence(rules, tw_grammar_layout(maker, front), begin,
                         tw_rule_sized(rules, words + there, to - there), 0));
    if (there == size) {
        node = tw_rule_maybe(rules, node);
    }
    return to == size
               ? node
               : tw_rule_sequence(
                     rules, node,
                     tw_rule_of(rules, "open", true,
                                tw_rule_sized(rules, words + to, size - to)),
                     0, 0);
}

/* Free text up to and with |words|. */
static uint32_t text_to(tw_grammar_maker *maker, uint32_t free,
                        const char *words, size_t size)
{
    tw_rules *rules = &maker->rules;
    return tw_rule_of(rules, "text", true,
                      tw_rule_sequence(rules, tw_rule_free_text(rules, free),
                                       tw_rule_sized(rules, words, size), 0,
                                       0));
}

/* ---- the end ------------------------------------------------------------ */

/* What stands at the end: |words| without white space, or a stop. */
static uint32_t stops_of(tw_grammar_maker *maker, const char *words)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const char *at = words + strspn(words, " \t\r\n");
    size_t size = strlen(at);
    while (size > 0 && strchr(" \t\r\n", at[size - 1]) != NULL) {
        size--;
    }
    bool same = size == 0;
    tw_rule_add(rules, choice, tw_rule_sized(rules, at, size));
    for (size_t i = 0; description->stops[i] != NULL; i++) {
        const char *stop = description->stops[i];
        same = strlen(stop) == size && memcmp(stop, at, size) == 0;
        tw_rule_add(rules, choice, same ? 0 : tw_rule_words(rules, stop));
    }
    return rules->code == TW_OK && tw_rule_node_at(rules, choice)->first != 0
               ? choice
               : 0;
}

/* The white space behind the last word. */
static const char *tail_of(const char *words)
{
    const char *at = words + strlen(words);
    while (at > words && strchr(" \t\r\n", at[-1]) != NULL) {
        at--;
    }
    return at;
}

/* Behind calls; 0: nothing may stand there. */
static uint32_t end_of_calls(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    const char *words = maker->description->end_of_call;
    const uint32_t stops = stops_of(maker, words);
    if (stops == 0) {
        return tw_grammar_layout(maker, words);
    }
    const size_t blank = strspn(words, " \t\r\n");
    const uint32_t front =
        words[blank] == 0
            ? 0
            : tw_rule_maybe(rules, tw_rule_sized(rules, words, blank));
    return tw_rule_maybe(
        rules,
        tw_rule_sequence(rules, front, tw_rule_of(rules, "end", true, stops),
                         tw_grammar_layout(maker, tail_of(words)), 0));
}

/* Text that is the last of its message, |first| in front of it. */
static void add_last_text(tw_grammar_maker *maker, uint32_t choice,
                          uint32_t free, bool marked)
{
    static const tw_rule_range openers[] = {
        {'\t', '\n'}, {'\r', '\r'}, {' ', ' '}, {'[', '['}, {'{', '{'}};
    tw_rules *rules = &maker->rules;
    const char *words = maker->description->end;
    const uint32_t first = marked ? 0 : tw_rule_set(rules, openers, 5, true);
    const uint32_t again = marked ? 0 : tw_rule_set(rules, openers, 5, true);
    const uint32_t stops = stops_of(maker, words);
    const uint32_t whole =
        tw_rule_sequence(rules, first, tw_rule_free_text(rules, free), 0, 0);
    tw_rule_add(rules, choice,
                tw_rule_of(rules, "text", true,
                           marked ? whole : tw_rule_maybe(rules, whole)));
    if (stops == 0) {
        return;
    }
    const uint32_t text =
        tw_rule_sequence(rules, again, tw_rule_free_text(rules, free), 0, 0);
    tw_rule_add(
        rules, choice,
        tw_rule_sequence(
            rules,
            tw_rule_of(rules, "text", true,
                       tw_rule_sequence(
                           rules, marked ? text : tw_rule_maybe(rules, text),
                           stops, 0, 0)),
            tw_grammar_layout(maker, tail_of(words)), 0, 0));
}

/* ---- text and calls ----------------------------------------------------- */

/* The calls, which no free text stands in front of; |apart|: their layout is
 * no part of the token that opens them, since other layout stands there. */
static void add_calls(tw_grammar_maker *maker, const frame *all,
                      uint32_t choice, bool apart)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        const tw_grammar_calls *calls = &all->calls[i];
        const uint32_t open =
            opener(maker, all, apart ? "" : calls->front, calls->open,
                   calls->open_size, all->first);
        tw_rule_add(rules, choice,
                    tw_rule_sequence(
                        rules,
                        apart ? tw_grammar_layout(maker, calls->front) : 0,
                        open, tw_rule_call(rules, all->rests[i]),
                        tw_rule_call(rules, all->end)));
    }
}

/* ... and which free text stands in front of. */
static void add_text_and_calls(tw_grammar_maker *maker, const frame *all,
                               uint32_t choice)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        const tw_grammar_calls *calls = &all->calls[i];
        if (calls->open_size > 0) {
            tw_rule_add(
                rules, choice,
                tw_rule_sequence(rules,
                                 text_to(maker, all->text_free, calls->open,
                                         calls->open_size),
                                 tw_rule_call(rules, all->rests[i]),
                                 tw_rule_call(rules, all->end), 0));
        } else {
            tw_rule_add(rules, choice,
                        tw_rule_sequence(rules,
                                         tw_rule_call(rules, all->rests[i]),
                                         tw_rule_call(rules, all->end), 0, 0));
        }
    }
}

/* Text in a wrapper: what opens it, and what closes it, or NULL. */
static const tw_part *wrapper_of(const tw_pattern *text, const tw_part **close)
{
    const size_t first = text != NULL ? tw_pattern_first(text) : 0;
    const tw_part *open =
        text != NULL ? tw_pattern_literal(text, first) : NULL;
    *close = open == NULL
                 ? NULL
                 : tw_pattern_literal(text, tw_pattern_next(text, text->hole));
    return open;
}

/* Parts [from, to) of a pattern, of which only words are written. */
static uint32_t parts_of(tw_grammar_maker *maker, const tw_pattern *pattern,
                         size_t from, size_t to)
{
    const uint32_t node =
        tw_rule_put(&maker->rules, TW_RULE_SEQUENCE, 0, 0, 0);
    for (size_t i = from; i < to; i++) {
        const tw_part *part = &pattern->parts[i];
        tw_rule_add(&maker->rules, node,
                    part->kind == TW_PATTERN_LITERAL
                        ? tw_rule_words(&maker->rules, part->text)
                    : part->kind == TW_PATTERN_LAYOUT
                        ? tw_grammar_layout(maker, part->text)
                        : 0);
    }
    return node;
}

/* The words of a pattern up to its hole, the first of them with its layout as
 * one token. */
static uint32_t front_of(tw_grammar_maker *maker, const frame *all,
                         const tw_pattern *pattern, bool begins)
{
    char words[TW_GRAMMAR_RUN];
    size_t next;
    const size_t first = tw_pattern_first(pattern);
    const size_t size = tw_grammar_run(pattern, first, words, &next);
    const uint32_t open =
        opener(maker, all, first > 0 ? pattern->parts[0].text : "", words,
               size, begins);
    const char *layout = tw_pattern_layout(pattern, next - 1);
    /* Where the prompt has all words, the layout alone tells. */
    if (begins && layout[0] != 0 && written(maker, words, size) == size) {
        return tw_rule_sequence(
            &maker->rules, open, tw_rule_words(&maker->rules, layout),
            parts_of(maker, pattern, next + 1, pattern->hole), 0);
    }
    return tw_rule_sequence(&maker->rules, open,
                            parts_of(maker, pattern, next, pattern->hole), 0,
                            0);
}

/* Calls, or the end, stand behind the text. */
static uint32_t wrapped_text(tw_grammar_maker *maker, const frame *all,
                             const tw_pattern *text, const tw_part *close)
{
    frame behind = *all;
    behind.first = false;
    tw_rules *rules = &maker->rules;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (close == NULL) { /* it ends where calls begin, or the message ends */
        if (!all->none && !maker->description->calls_alone) {
            add_text_and_calls(maker, all, choice);
        }
        if (!all->due) {
            add_last_text(maker, choice, all->text_free, true);
        }
        return tw_rule_sequence(rules, front_of(maker, all, text, all->first),
                                choice, 0, 0);
    }
    const size_t at = tw_pattern_next(text, text->hole);
    const uint32_t closed = tw_rule_sequence(
        rules, front_of(maker, all, text, all->first),
        text_to(maker, all->text_free, close->text, close->size),
        parts_of(maker, text, at + 1, text->count), 0);
    if (!all->none && !maker->description->calls_alone) {
        tw_rule_add(rules, closed,
                    tw_grammar_layout(maker, maker->description->gap));
        add_calls(maker, &behind, choice, true);
    }
    if (!all->due) {
        const uint32_t stops = stops_of(maker, maker->description->end);
        const uint32_t last =
            stops != 0 && !is_blank(maker->description->end)
                ? tw_rule_maybe(
                      rules, tw_rule_sequence(
                                 rules, tw_rule_of(rules, "end", true, stops),
                                 tw_grammar_layout(
                                     maker, tail_of(maker->description->end)),
                                 0, 0))
                : tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0);
        tw_rule_add(rules, choice, last);
    }
    tw_rule_add(rules, closed, choice);
    return closed;
}

/* All behind reasoning. */
static uint32_t answer_of(tw_grammar_maker *maker, const frame *all)
{
    tw_rules *rules = &maker->rules;
    const tw_pattern *text = canonical(&maker->description->text);
    const tw_part *close;
    const bool wrapped = wrapper_of(text, &close) != NULL;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    bool marked = true;
    for (size_t i = 0; i < all->count; i++) {
        marked &= all->calls[i].open_size > 0;
    }
    if (wrapped) {
        for (size_t i = 0; i < maker->description->text.count; i++) {
            const tw_pattern *one = &maker->description->text.all[i];
            if (!one->loose && wrapper_of(one, &close) != NULL &&
                !(all->due && maker->description->calls_alone)) {
                tw_rule_add(rules, choice,
                            wrapped_text(maker, all, one, close));
            }
        }
        if (!all->none) {
            add_calls(maker, all, choice, true);
        }
        return choice;
    }
    if (!all->none && maker->description->calls_alone) {
        add_calls(maker, all, choice, false);
    } else if (!all->none) {
        add_text_and_calls(maker, all, choice);
    }
    if (!all->due) {
        add_last_text(maker, choice, all->text_free, marked);
    }
    return choice;
}

/* ---- reasoning ---------------------------------------------------------- */

/* Reasoning from behind what opens it. */
static uint32_t inside_of(tw_grammar_maker *maker, const frame *all,
                          const tw_pattern *pattern)
{
    tw_rules *rules = &maker->rules;
    const size_t at = tw_pattern_next(pattern, pattern->hole);
    const tw_part *close = tw_pattern_literal(pattern, at);
    return close == NULL
               ? 0
               : tw_rule_sequence(
                     rules,
                     text_to(maker, all->reasoning_free, close->text,
                             close->size),
                     parts_of(maker, pattern, at + 1, pattern->count), 0, 0);
}

/* What is written where there is no reasoning. */
static void add_no_reasoning(tw_grammar_maker *maker, uint32_t choice,
                             const char *words)
{
    tw_rules *rules = &maker->rules;
    const tw_pattern *pattern = canonical(&maker->description->reasoning);
    const tw_part *open = pattern != NULL ? tw_pattern_open(pattern) : NULL;
    const size_t blank = strspn(words, " \t\r\n");
    /* Reasoning that is empty is written so, too. */
    const bool same =
        open != NULL && strncmp(words + blank, open->text, open->size) == 0;
    if (words[0] != 0 && !is_blank(words) && !same) {
        const char *tail = tail_of(words);
        const uint32_t front = tw_rule_sized(rules, words, blank);
        tw_rule_add(
            rules, choice,
            tw_rule_sequence(
                rules,
                tw_rule_of(rules, "open", true,
                           tw_rule_sequence(
                               rules, tw_rule_maybe(rules, front),
                               tw_rule_sized(rules, words + blank,
                                             (size_t)(tail - words) - blank),
                               0, 0)),
                tw_grammar_layout(maker, tail), 0, 0));
    }
}

/* Does the prompt end inside reasoning, of which the format has some? */
static bool is_inside(const tw_grammar_maker *maker, const frame *all)
{
    return canonical(&maker->description->reasoning) != NULL &&
           (maker->options->start == TW_GRAMMAR_REASONING ||
            (maker->options->start == TW_GRAMMAR_ANYWHERE &&
             all->starts_inside));
}

/* Reasoning; 0: the format has none. */
static uint32_t reasoning_of(tw_grammar_maker *maker, const frame *all)
{
    tw_rules *rules = &maker->rules;
    const tw_description *description = maker->description;
    const tw_patterns *patterns = &description->reasoning;
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    const bool inside = is_inside(maker, all);
    for (size_t i = 0; i < patterns->count; i++) {
        const tw_pattern *pattern = &patterns->all[i];
        const bool open = tw_pattern_open(pattern) == NULL;
        if (pattern->loose || (inside && i > 0) || (open && !inside)) {
            continue;
        }
        const uint32_t body = inside_of(maker, all, pattern);
        if (body != 0) {
            tw_rule_add(
                rules, choice,
                inside ? body
                       : tw_rule_sequence(rules,
                                          front_of(maker, all, pattern, true),
                                          body, 0, 0));
        }
    }
    if (!inside) {
        add_no_reasoning(maker, choice, description->no_reasoning);
        add_no_reasoning(maker, choice, description->no_reasoning_of_call);
    }
    if (rules->code != TW_OK || tw_rule_node_at(rules, choice)->first == 0) {
        return 0;
    }
    return choice;
}

/* Rules that several ways to the calls have in common. */
static void share_calls(tw_grammar_maker *maker, frame *all)
{
    tw_rules *rules = &maker->rules;
    for (size_t i = 0; i < all->count; i++) {
        all->rests[i] = tw_rule_new(rules, "calls", false);
        tw_rule_is(rules, all->rests[i], all->calls[i].rest);
    }
    const uint32_t end = end_of_calls(maker);
    all->end = tw_rule_new(rules, "end", false);
    tw_rule_is(rules, all->end,
               end != 0 ? end : tw_rule_put(rules, TW_RULE_SEQUENCE, 0, 0, 0));
}

/* ---- the message -------------------------------------------------------- */

static bool is_choice(const tw_grammar_maker *maker, const char *word)
{
    return maker->options->choice != NULL &&
           strcmp(maker->options->choice, word) == 0;
}

static bool has_id(const tw_pattern *pattern)
{
    bool found = false;
    for (size_t i = 0; i < pattern->count; i++) {
        found |= pattern->parts[i].kind == TW_PATTERN_ID;
    }
    return found;
}

static bool is_same(const tw_part *left, const tw_part *right)
{
    return left == right ||
           (left != NULL && right != NULL && left->size == right->size &&
            memcmp(left->text, right->text, left->size) == 0);
}

/* Is an earlier pattern written in place of the |i|-th one?  It is if it opens
 * alike, unless one of them alone has an id. */
static bool is_hidden(const tw_patterns *patterns, size_t i)
{
    const tw_pattern *pattern = &patterns->all[i];
    bool hidden = pattern->loose;
    for (size_t k = 0; k < i; k++) {
        const tw_pattern *before = &patterns->all[k];
        hidden |= is_same(tw_pattern_open(before), tw_pattern_open(pattern)) &&
                  tw_pattern_hole(before)->kind != TW_PATTERN_RAW &&
                  has_id(before) == has_id(pattern);
    }
    return hidden;
}

static void find_calls(tw_grammar_maker *maker, frame *all)
{
    const tw_patterns *patterns = &maker->description->call;
    for (size_t i = 0; i < patterns->count && !all->none; i++) {
        tw_grammar_calls *calls = &all->calls[all->count];
        if (!is_hidden(patterns, i) && tw_grammar_calls_of(maker, i, calls)) {
            all->count++;
        }
    }
}

void tw_grammar_message(tw_grammar_maker *maker)
{
    tw_rules *rules = &maker->rules;
    frame all = {0};
    const uint32_t root = tw_rule_new(rules, "root", false);
    all.none = is_choice(maker, "none") || maker->tools->first == NULL;
    all.due = maker->options->choice != NULL && !is_choice(maker, "auto") &&
              !is_choice(maker, "none");
    all.starts_inside = tw_frame_starts_inside(maker->description);
    maker->lines = maker->description->json == TW_JSON_LINES ||
                   maker->description->json == TW_JSON_INDENTED;
    find_free(maker, &all);
    find_tags(maker);
    find_calls(maker, &all);
    share_calls(maker, &all);
    const uint32_t reasoning = reasoning_of(maker, &all);
    const uint32_t choice = tw_rule_put(rules, TW_RULE_CHOICE, 0, 0, 0);
    if (reasoning != 0) {
        tw_rule_add(
            rules, choice,
            tw_rule_sequence(rules, reasoning, answer_of(maker, &all), 0, 0));
    }
    if (!is_inside(maker, &all)) {
        all.first = true;
        tw_rule_add(rules, choice, answer_of(maker, &all));
    }
    tw_rule_is(rules, root, choice);
}
