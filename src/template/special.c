/* SPDX-License-Identifier: MIT
 *
 * Which words are markers in a template's prompts: the special tokens of its
 * configuration or, where it has none, what looks like one in the template.
 */
#include "core/ascii.h"
#include "template/loaded.h"

const tw_value *tw_token_text(const tw_value *token)
{
    if (token->kind == TW_VALUE_OBJECT) {
        token = tw_value_member(token, "content");
    }
    return token != NULL && token->kind == TW_VALUE_STRING && token->size > 0
               ? token
               : NULL;
}

typedef struct finding {
    struct tw_template *template_;
    tw_item seen; /* a dict of their texts */
    bool good;
} finding;

static void add(finding *work, const char *text, size_t size)
{
    tw_arena *arena = &work->template_->program.arena;
    const tw_item key = tw_item_string(tw_string_of(arena, text, size));
    const tw_marker marker = {
        .text = text, .size = size, .role = TW_MARKER_TURN, .token = 1};
    if (tw_dict_find(work->seen.of.dict, key) == NULL) {
        tw_dict_put(arena, work->seen.of.dict, key, key);
        work->good &=
            tw_buffer_append(&work->template_->markers,
                             &work->template_->memory, &marker, sizeof marker);
    }
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
        if (special != NULL && special->kind == TW_VALUE_TRUE) {
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

/* `<|word|>`: up to |close|, without white space and `<`. */
static size_t barred(const char *at, const char *limit, const char *bar)
{
    const char *from = at;
    for (at += 1 + strlen(bar); at < limit && at - from < LONGEST; at++) {
        if (stands(at, limit, bar) && stands(at + strlen(bar), limit, ">")) {
            return (size_t)(at - from) + strlen(bar) + 1;
        }
        if (*at == ' ' || *at == '\n' || *at == '<') {
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
    if (*at == '[') {
        return bracketed(at, limit);
    }
    if (*at != '<') {
        return 0;
    }
    const size_t size = stands(at, limit, "<|")      ? barred(at, limit, "|")
                        : stands(at, limit, "<" BAR) ? barred(at, limit, BAR)
                                                     : 0;
    return size > 0 ? size : bracketed(at, limit);
}

/* What looks like a token in the template's text and in its strings. */
static void add_words(finding *work)
{
    const tw_program *program = &work->template_->program;
    const size_t count = program->constants.size / sizeof(tw_item);
    for (size_t i = 0; i < count; i++) {
        const tw_item item = tw_constant_at(program, (uint32_t)i);
        if (item.kind != TW_ITEM_STRING) {
            continue;
        }
        const char *limit = item.of.string->data + item.of.string->size;
        for (const char *at = item.of.string->data; at < limit;) {
            const size_t size = token_at(at, limit);
            if (size > 0) {
                add(work, at, size);
            }
            at += size > 0 ? size : 1;
        }
    }
}

bool tw_template_find_markers(struct tw_template *template_)
{
    finding work = {template_, tw_item_dict(&template_->program.arena, 0),
                    true};
    if (template_->config.root != NULL) {
        add_config(&work, template_->config.root);
    }
    if (template_->markers.size == 0) {
        add_words(&work);
    }
    return work.good && template_->program.arena.state == TW_ARENA_GOOD;
}
