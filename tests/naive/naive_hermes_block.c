/* SPDX-License-Identifier: MIT
 *
 * Hermes, a block: <tool_call>, what it holds, and what ends it.
 */
#include "naive_hermes.h"

#include <string.h>

enum {
    HEAD_LIMIT = 1024,   /* <tool_call> and what stands before the object */
    PROSE_LIMIT = 64,    /* words before the object */
    JUNK_LIMIT = 256     /* words behind it */
};

static void diagnose(hermes_decoder *decoder, const char *code, size_t at)
{
    naive_diagnose(decoder->message, code, at);
}

/* --- markers ----------------------------------------------------------- */

bool hermes_starts(const hermes_decoder *decoder, size_t at, const char *word)
{
    return decoder->limit - at >= strlen(word) &&
           memcmp(decoder->text + at, word, strlen(word)) == 0;
}

bool hermes_is_cut(const hermes_decoder *decoder, size_t at, const char *word)
{
    size_t left = decoder->limit - at;

    return left < strlen(word) && memcmp(decoder->text + at, word, left) == 0;
}

hermes_marker hermes_marker_at(const hermes_decoder *decoder, size_t at,
                               size_t *size)
{
    const hermes_wire *wire = decoder->wire;

    if (hermes_starts(decoder, at, wire->open) ||
        hermes_starts(decoder, at, wire->close)) {
        bool opens = hermes_starts(decoder, at, wire->open);

        *size = strlen(opens ? wire->open : wire->close);
        return opens ? HERMES_OPEN : HERMES_CLOSE;
    }
    *size = 0;
    if (hermes_is_cut(decoder, at, wire->open) ||
        hermes_is_cut(decoder, at, wire->close))
        return HERMES_CUT;
    for (size_t i = 0; wire->stops[i]; i++) {
        if (hermes_starts(decoder, at, wire->stops[i])) {
            *size = strlen(wire->stops[i]);
            return HERMES_STOP;
        }
        if (hermes_is_cut(decoder, at, wire->stops[i]))
            return HERMES_CUT;
    }
    return HERMES_NONE;
}

size_t hermes_next_less_than(const hermes_decoder *decoder, size_t at)
{
    const char *found =
        memchr(decoder->text + at, '<', decoder->limit - at);

    return found ? (size_t)(found - decoder->text) : decoder->limit;
}

size_t hermes_next_marker(const hermes_decoder *decoder, size_t at)
{
    for (;; at++) {
        hermes_marker marker;
        size_t size;

        at = hermes_next_less_than(decoder, at);
        if (at == decoder->limit)
            return at;
        marker = hermes_marker_at(decoder, at, &size);
        if (marker != HERMES_NONE && marker != HERMES_CUT)
            return at;
    }
}

bool hermes_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool hermes_is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':' || c == '/';
}

/* --- is it a block? (R5) ----------------------------------------------- */

static size_t odd_blank(const hermes_decoder *decoder, size_t at)
{
    static const char *const blanks[] = {
        "\xEF\xBB\xBF", "\xC2\xA0", "\xE2\x80\x8B", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE3\x80\x80", "\xE2\x81\xA0"};

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (hermes_starts(decoder, at, blanks[i]))
            return strlen(blanks[i]);
    return 0;
}

static bool line_ends_at(const hermes_decoder *decoder, size_t at)
{
    return at < decoder->limit &&
           (decoder->text[at] == '\n' || decoder->text[at] == '\r');
}

/* Blanks, odd ones too, and further opening tags.  |*line| tells whether a
 * line end follows the last tag directly.  False: too many. */
static bool skip_to_head(const hermes_decoder *decoder, size_t open_at,
                         hermes_head *head, bool *line)
{
    size_t at = open_at + strlen(decoder->wire->open), size;

    *line = line_ends_at(decoder, at);
    while (at < decoder->limit && at - open_at <= HEAD_LIMIT) {
        if (hermes_is_blank(decoder->text[at])) {
            at++;
        } else if ((size = odd_blank(decoder, at)) > 0) {
            naive_diagnose(&head->late,
                           size == 3 && decoder->text[at] == '\xEF'
                               ? "bom" : "odd_whitespace", at);
            at += size;
        } else if (hermes_starts(decoder, at, decoder->wire->open)) {
            naive_diagnose(&head->late, "doubled_open_tag", at);
            at += strlen(decoder->wire->open);
            *line = line_ends_at(decoder, at);
        } else {
            break;
        }
    }
    head->at = at;
    return at - open_at <= HEAD_LIMIT;
}

static bool has_letter(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (hermes_is_name_byte(name[i]) && !strchr("-.:/", name[i]))
            return true;
    return false;
}

/* Words before the object: any up to 64 bytes if a line end followed the tag,
 * else a name, which GLM writes before its first key. */
static void read_prose_head(const hermes_decoder *decoder, size_t open_at,
                            bool line, hermes_head *head)
{
    const char *text = decoder->text;
    size_t begin = head->at, at = begin;
    bool is_name = true, ended = false; /* blanks may follow the name */

    for (; at < decoder->limit && text[at] != '<' && text[at] != '{'; at++) {
        ended = ended || hermes_is_blank(text[at]);
        is_name = is_name && (ended ? hermes_is_blank(text[at])
                                    : hermes_is_name_byte(text[at]));
        head->given_up = at + 1 - open_at > HEAD_LIMIT;
        if (head->given_up || at + 1 - begin > PROSE_LIMIT ||
            (!line && !is_name))
            return;
    }
    if (at == decoder->limit)
        return;
    if (text[at] == '{' && line) {
        head->kind = HERMES_OBJECT_HEAD;
        head->at = at;
        head->is_fenced = strncmp(text + begin, "```", 3) == 0;
        naive_diagnose(&head->late, head->is_fenced ? "code_fence"
                                                    : "junk_before_object",
                       open_at);
    } else if (is_name && has_letter(text + begin, at - begin) &&
               !decoder->wire->lists && hermes_opens_parameter(decoder, at)) {
        head->kind = HERMES_GLM_HEAD;
        head->at = at;
        head->word = begin;
        while (begin + head->word_size < at &&
               !hermes_is_blank(text[begin + head->word_size]))
            head->word_size++;
    }
}

static bool is_stop(const hermes_decoder *decoder, size_t at)
{
    size_t size;

    return hermes_marker_at(decoder, at, &size) == HERMES_STOP;
}

/* A name and the end of its tag or of a line; |at| is where it begins. */
static bool is_coder_head(const hermes_decoder *decoder, size_t at)
{
    while (at < decoder->limit && !strchr("<>\r\n", decoder->text[at]))
        at++;
    return at == decoder->limit || decoder->text[at] != '<' ||
           is_stop(decoder, at);
}

void hermes_read_head(const hermes_decoder *decoder, size_t open_at,
                      hermes_head *head)
{
    bool line;
    size_t size;

    *head = (hermes_head){.kind = HERMES_NO_HEAD};
    if (!skip_to_head(decoder, open_at, head, &line)) {
        head->given_up = true;
    } else if (head->at == decoder->limit) {
        head->kind = HERMES_CUT_HEAD;
    } else if (decoder->text[head->at] == '{' ||
               decoder->text[head->at] == '[') {
        head->kind = HERMES_OBJECT_HEAD;
    } else if (hermes_marker_at(decoder, head->at, &size) == HERMES_STOP) {
        head->kind = HERMES_CUT_HEAD;
    } else if (hermes_starts(decoder, head->at, decoder->wire->close)) {
        head->kind = HERMES_EMPTY_BLOCK;
        head->at += strlen(decoder->wire->close);
    } else if (!decoder->wire->lists &&
               hermes_starts(decoder, head->at, "<function=")) {
        head->kind = is_coder_head(decoder, head->at + strlen("<function="))
                         ? HERMES_CODER_HEAD
                         : HERMES_NO_HEAD;
        head->at += strlen("<function=");
    } else if (decoder->text[head->at] != '<') {
        read_prose_head(decoder, open_at, line, head);
    }
}

/* --- blocks ------------------------------------------------------------ */

typedef struct block_state {
    hermes_decoder *decoder;
    size_t open_at;
    bool is_fenced;
    bool in_array, was_array;
    bool many;               /* objects without an array, said once */
    size_t elements;
} block_state;

static void empty_call(block_state *block, size_t end)
{
    diagnose(block->decoder, "empty_call", block->open_at);
    hermes_unparsed(block->decoder, block->open_at, end, "empty_call", NULL);
}

static hermes_turn truncate_block(block_state *block, size_t end)
{
    diagnose(block->decoder, "truncated_call", end);
    hermes_unparsed(block->decoder, block->open_at, end, "truncated_call",
                    NULL);
    return hermes_text_from(end, 1);
}

/* The marker at |at| ends the block. */
static hermes_turn close_block(block_state *block, size_t at)
{
    hermes_decoder *decoder = block->decoder;
    size_t size;
    hermes_marker marker = hermes_marker_at(decoder, at, &size);

    if (marker == HERMES_CUT) { /* a cut closing tag is framing */
        hermes_give_up(decoder, decoder->limit);
        at = decoder->limit;
    }
    if (block->elements == 0 &&
        (marker == HERMES_CUT || marker == HERMES_STOP))
        return truncate_block(block, at);
    if (marker != HERMES_CLOSE) {
        decoder->unclosed = true;
        diagnose(decoder, "missing_call_close", at);
    }
    if (block->in_array) {
        diagnose(decoder, "missing_closer", at);
        if (block->elements == 0)
            empty_call(block, at);
    }
    return hermes_text_from(marker == HERMES_CLOSE ? at + size : at, 1);
}

/* Words behind the object: dropped if </tool_call> follows soon, else they
 * were text. */
static hermes_turn read_junk(block_state *block, size_t begin)
{
    hermes_decoder *decoder = block->decoder;
    size_t at = hermes_next_marker(decoder, begin), size;
    size_t end = at;
    hermes_turn text = hermes_text_from(begin, 1);

    if (decoder->bare)
        hermes_give_up(decoder, begin);
    if (at - begin <= JUNK_LIMIT &&
        hermes_marker_at(decoder, at, &size) == HERMES_CLOSE) {
        while (hermes_is_blank(decoder->text[end - 1]))
            end--;
        if (!block->is_fenced || end - begin != 3 ||
            memcmp(decoder->text + begin, "```", 3) != 0)
            naive_drop(decoder->message, "junk_after_object", begin,
                       at - begin);
        return close_block(block, at);
    }
    if (at == decoder->limit && at - begin <= JUNK_LIMIT)
        hermes_give_up(decoder, at);
    decoder->unclosed = true;
    diagnose(decoder, "missing_call_close", begin);
    text.scan = at - begin > JUNK_LIMIT ? begin + JUNK_LIMIT + 1 : at;
    return text;
}

/* What is neither element nor separator. */
static hermes_turn read_other(block_state *block, size_t at)
{
    size_t start = block->elements ? at : block->open_at, next;

    if (!block->in_array)
        return read_junk(block, at);
    diagnose(block->decoder, "not_object", at);
    hermes_skip(block->decoder, start, at, "not_object", NULL, &next);
    return hermes_text_from(next, 1);
}

/* `{`: false if the block ends with it. */
static bool read_element(block_state *block, size_t *at)
{
    size_t start = block->elements ? *at : block->open_at;

    if (!block->elements && !block->was_array && block->decoder->wire->lists) {
        diagnose(block->decoder, "no_list_in_tag", *at);
    } else if (block->elements && !block->was_array && !block->many) {
        block->many = true;
        diagnose(block->decoder, "many_objects_in_tag", *at);
    }
    block->elements++;
    return hermes_read_object(block->decoder, start, *at, at) == HERMES_READ;
}

/* `[`, `]`, `}` and `,`; false if the byte may not stand here. */
static bool read_punctuation(block_state *block, size_t at)
{
    char c = block->decoder->text[at];

    if (c == '[' && !block->elements && !block->was_array) {
        block->in_array = block->was_array = true;
        if (!block->decoder->wire->lists)
            diagnose(block->decoder, "array_in_tag", at);
    } else if (c == ']' && block->in_array) {
        block->in_array = false;
        if (block->elements++ == 0)
            empty_call(block, at + 1);
    } else if ((c == ']' || c == '}') && block->elements) {
        diagnose(block->decoder, "extra_closer", at);
    } else {
        return hermes_is_blank(c) || (c == ',' && block->elements);
    }
    return true;
}

/* The elements, up to what ends the block. */
static hermes_turn read_elements(block_state *block, size_t at)
{
    hermes_decoder *decoder = block->decoder;
    size_t size;

    while (!decoder->gave_up) {
        if (hermes_marker_at(decoder, at, &size) != HERMES_NONE)
            return close_block(block, at);
        if (decoder->text[at] == '{') {
            if (!read_element(block, &at))
                return hermes_text_from(at, 1);
        } else if (!read_punctuation(block, at)) {
            return read_other(block, at);
        } else {
            at++;
        }
    }
    return (hermes_turn){.place = HERMES_OVER};
}

/* <function=NAME>, |at| behind the `=`. */
static hermes_turn read_coder(block_state *block, size_t at)
{
    hermes_decoder *decoder = block->decoder;
    size_t name, end;

    while (at < decoder->limit && hermes_is_blank(decoder->text[at]))
        at++;
    name = end = at;
    while (end < decoder->limit && !strchr("<>\r\n", decoder->text[end]))
        end++;
    at = end;
    while (end > name && hermes_is_blank(decoder->text[end - 1]))
        end--;
    if (at == decoder->limit || is_stop(decoder, at)) {
        diagnose(decoder, "qwen3_coder_body", block->open_at);
        return truncate_block(block, at);
    }
    if (decoder->text[at] == '>')
        at++;
    else
        diagnose(decoder, "missing_tag_end", block->open_at);
    return hermes_text_from(hermes_read_tags(decoder, block->open_at, 0,
                                             decoder->text + name, end - name,
                                             at),
                            1);
}

hermes_turn hermes_read_block(hermes_decoder *decoder, size_t open_at,
                       const hermes_head *head)
{
    block_state block = {.decoder = decoder, .open_at = open_at,
                   .is_fenced = head->is_fenced};
    size_t next = head->at;

    for (size_t i = 0; i < head->late.diagnostic_count; i++)
        diagnose(decoder, head->late.diagnostics[i].code,
                 head->late.diagnostics[i].offset);
    if (head->kind == HERMES_CUT_HEAD)
        return truncate_block(&block, head->at);
    if (head->kind == HERMES_EMPTY_BLOCK) {
        empty_call(&block, head->at);
        return hermes_text_from(head->at, 1);
    }
    if (head->kind == HERMES_GLM_HEAD)
        return hermes_text_from(
            hermes_read_tags(decoder, open_at, 1, decoder->text + head->word,
                             head->word_size, head->word + head->word_size),
            1);
    if (head->kind == HERMES_CODER_HEAD)
        return read_coder(&block, head->at);
    return read_elements(&block, next);
}

