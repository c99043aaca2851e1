/* SPDX-License-Identifier: MIT
 *
 * Which words are markers in a template's prompts: the special tokens of its
 * configuration and, unless that lists them, what looks like one in the
 * template.
 */
#include "core/ascii.h"
#include "template/loaded.h"

const tw_value *tw_token_text(const tw_value *token)
{
    if (token->kind == TW_VALUE_OBJECT) {
        token = tw_value_member(token, "content");
    }
    return tw_value_is_a(token, TW_VALUE_STRING) && token->size > 0 ? token
                                                                    : NULL;
}

typedef struct finding {
    struct tw_template *template_;
    bool good;
} finding;

static void add(finding *work, const char *text, size_t size)
{
    tw_arena *arena = &work->template_->program.arena;
    tw_dict *marked = work->template_->marked;
    if (tw_dict_find_text(marked, text, size) != NULL) {
        return;
    }
    char *copy = tw_arena_get(arena, size);
    if (copy == NULL) {
        work->good = false;
        return;
    }
    memcpy(copy, text, size);
    const tw_string *kept = tw_string_of(arena, copy, size);
    const tw_marker marker = {
        .text = copy, .size = size, .role = TW_MARKER_TURN, .token = 1};
    tw_dict_put(arena, marked, tw_item_string(kept), tw_none());
    work->good &=
        tw_buffer_append(&work->template_->markers, &work->template_->memory,
                         &marker, sizeof marker);
}

/* ---- of a configuration ------------------------------------------------- */

static void add_token(finding *work, const tw_value *token)
{
    const tw_value *text = tw_token_text(token);
    if (text != NULL) {
        add(work, text->text, text->size);
    }
}

static void add_config(finding *work, const tw_value *config)
{
    static const char *const names[] = {"bos_token",  "eos_token", "unk_token",
                                        "sep_token",  "pad_token", "cls_token",
                                        "mask_token", NULL};
    const tw_value *added = tw_value_member(config, "added_tokens_decoder");
    const tw_value *more =
        tw_value_member(config, "additional_special_tokens");
    for (size_t i = 0; names[i] != NULL; i++) {
        const tw_value *token = tw_value_member(config, names[i]);
        if (token != NULL) {
            add_token(work, token);
        }
    }
    for (const tw_value *at = more != NULL ? more->first : NULL; at != NULL;
         at = at->next) {
        add_token(work, at);
    }
    for (const tw_value *at = added != NULL ? added->first : NULL; at != NULL;
         at = at->next) {
        const tw_value *special = tw_value_member(at, "special");
        if (tw_value_is_a(special, TW_VALUE_TRUE)) {
            add_token(work, at);
        }
    }
}

/* ---- of a template's words ---------------------------------------------- */

enum { LONGEST = 64 };

#define BAR "\xEF\xBD\x9C" /* U+FF5C, which stands in tokens of DeepSeek's */

static bool stands(const char *at, const char *limit, const char *word)
{
    const size_t size = strlen(word);
    return (size_t)(limit - at) >= size && memcmp(at, word, size) == 0;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* `<|word|>`, `[|word|]`: without white space and a bracket. */
static size_t barred(const char *at, const char *limit, const char *bar)
{
    const char *from = at;
    const char close = *from == '<' ? '>' : ']';
    for (at += 1 + strlen(bar); at < limit && at - from < LONGEST; at++) {
        const char *end = at + strlen(bar);
        if (stands(at, limit, bar) && end < limit && *end == close) {
            return (size_t)(end - from) + 1;
        }
        if (*at == ' ' || *at == '\n' || *at == *from) {
            break;
        }
    }
    return 0;
}

/* `<word>`, `</word>`, `<|word>`, `<word|>`, `[WORD]`, `[/WORD]`. */
static size_t bracketed(const char *at, const char *limit)
{
    const bool square = *at == '[';
    const char *from = at++;
    at += at < limit && (*at == '/' || (*at == '|' && !square));
    const char *word = at;
    while (at < limit && at - from < LONGEST &&
           (square ? (*at >= 'A' && *at <= 'Z') || *at == '_'
                   : is_letter(*at) || *at == '_' ||
                         (at > word &&
                          (tw_is_digit(*at) || *at == ':' || *at == '-')))) {
        at++;
    }
    const bool named = at - word > (square ? 2 : 0);
    at += at < limit && *at == '|' && !square;
    const bool whole = named && at < limit && *at == (square ? ']' : '>');
    return whole ? (size_t)(at - from) + 1 : 0;
}

static size_t token_at(const char *at, const char *limit)
{
    if (*at != '<' && *at != '[') {
        return 0;
    }
    const size_t size = stands(at + 1, limit, "|")   ? barred(at, limit, "|")
                        : stands(at, limit, "<" BAR) ? barred(at, limit, BAR)
                                                     : 0;
    return size > 0 ? size : bracketed(at, limit);
}

static void add_tokens(finding *work, const char *text, size_t size)
{
    const char *limit = text + size;
    for (const char *at = text; at < limit;) {
        const size_t token = token_at(at, limit);
        if (token > 0) {
            add(work, at, token);
        }
        at += token > 0 ? token : 1;
    }
}

/* What looks like a token in the template's text and in its strings. */
static void add_words(finding *work)
{
    const tw_program *program = &work->template_->program;
    const size_t count = program->constants.size / sizeof(tw_item);
    for (size_t i = 0; i < count; i++) {
        const tw_item item = tw_constant_at(program, (uint32_t)i);
        if (item.kind == TW_ITEM_STRING) {
            add_tokens(work, item.of.string->data, item.of.string->size);
        }
    }
}

/* Many configurations name the first and the last token alone: the others
 * stand in tokenizer.json. */
static bool lists_tokens(const tw_value *config)
{
    static const char *const lists[] = {"added_tokens_decoder",
                                        "additional_special_tokens"};
    bool listed = false;
    for (size_t i = 0; config != NULL && i < 2; i++) {
        const tw_value *list = tw_value_member(config, lists[i]);
        listed |= list != NULL && list->first != NULL;
    }
    return listed;
}

bool tw_template_find_markers(struct tw_template *template_)
{
    finding work = {template_, true};
    template_->marked = tw_item_dict(&template_->program.arena, 0).of.dict;
    if (template_->marked != NULL && template_->config.root != NULL) {
        add_config(&work, template_->config.root);
    }
    template_->words_mark = !lists_tokens(template_->config.root);
    if (template_->marked != NULL && template_->words_mark) {
        add_words(&work);
    }
    return work.good && template_->program.arena.state == TW_ARENA_GOOD;
}

bool tw_template_find_more(struct tw_template *template_, const char *text,
                           size_t size)
{
    finding work = {template_, true};
    if (template_->words_mark) {
        add_tokens(&work, text, size);
    }
    return work.good && template_->program.arena.state == TW_ARENA_GOOD;
}
