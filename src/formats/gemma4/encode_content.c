/* SPDX-License-Identifier: MIT
 *
 * What messages say: texts, media, results.
 */
#include "formats/gemma4/encode_content.h"

#include <string.h>

#include "formats/body/gemma/word.h"
#include "messages/pytext.h"

/* ---- text --------------------------------------------------------------- */

static const char *find(const char *from, const char *to, const char *word)
{
    const size_t size = strlen(word);
    while ((size_t)(to - from) >= size) {
        from = memchr(from, word[0], (size_t)(to - from) - size + 1);
        if (from == NULL || memcmp(from, word, size) == 0) {
            return from;
        }
        from++;
    }
    return NULL;
}

/* What the model said beside its thoughts stands in pieces: up to each close
 * marker, less what begins at an open marker.  The next one, from |*at| on;
 * false: that was all. */
typedef struct piece {
    const char *from;
    const char *to;
} piece;

static bool next_piece(const char **at, const char *limit, piece *found)
{
    static const char close[] = TW_GEMMA4_CHANNEL_END;
    if (*at == NULL) {
        return false;
    }
    const char *end = find(*at, limit, close);
    found->from = *at;
    found->to = end != NULL ? end : limit;
    *at = end != NULL ? end + sizeof close - 1 : NULL;
    const char *open = find(found->from, found->to, TW_GEMMA4_CHANNEL);
    found->to = open != NULL ? open : found->to;
    return true;
}

/* From the first to the last byte that strip() leaves of all pieces. */
static piece stripped(const tw_value *text)
{
    const char *limit = text->text + text->size;
    const char *at = text->text;
    piece all = {limit, limit};
    piece each;
    bool some = false;
    while (next_piece(&at, limit, &each)) {
        size_t size = (size_t)(each.to - each.from);
        tw_python_strip(&each.from, &size);
        if (size > 0) {
            all.from = some ? all.from : each.from;
            all.to = each.from + size;
            some = true;
        }
    }
    return all;
}

static void put_pieces(tw_segments *out, const tw_value *text)
{
    const char *limit = text->text + text->size;
    const char *at = text->text;
    const piece all = stripped(text);
    piece each;
    while (next_piece(&at, limit, &each)) {
        each.from = each.from > all.from ? each.from : all.from;
        each.to = each.to < all.to ? each.to : all.to;
        if (each.from < each.to) {
            tw_out_part(out, text, each.from, (size_t)(each.to - each.from),
                        (size_t)(each.from - text->text));
        }
    }
}

/* Puts it as the template does; how many bytes. */
static size_t put_text(tw_segments *out, const tw_value *text, bool model)
{
    const size_t begin = out->text.size;
    if (model) {
        put_pieces(out, text);
    } else {
        tw_out_stripped(out, text);
    }
    return out->text.size - begin;
}

/* ---- parts -------------------------------------------------------------- */

/* The text of a part; NULL: it has none. */
static const tw_value *part_text(tw_segments *out, const tw_value *part)
{
    const tw_value *text = part;
    if (part->kind != TW_VALUE_STRING) {
        text = tw_value_member(part, "text");
    } else {
        tw_encode_defect(out, part, "The template needs a part here.");
    }
    if (text != NULL && text->kind == TW_VALUE_STRING) {
        return text;
    }
    tw_encode_defect(out, part, "The template needs text here.");
    return NULL;
}

/* The marker of a part that is no text, or NULL. */
static const char *part_marker(const tw_gemma4_dialect *dialect,
                               const tw_value *part)
{
    static const struct {
        const char *type;
        const char *marker;
        bool url;
    } media[] = {{"image", TW_GEMMA4_IMAGE, false},
                 {"image_url", TW_GEMMA4_IMAGE, true},
                 {"audio", TW_GEMMA4_AUDIO, false},
                 {"input_audio", TW_GEMMA4_AUDIO, true},
                 {"video", TW_GEMMA4_VIDEO, false}};
    const tw_value *type = tw_value_member(part, "type");
    for (size_t i = 0; i < sizeof media / sizeof media[0]; i++) {
        if (tw_value_is(type, media[i].type)) {
            return media[i].url && !dialect->url_parts ? NULL
                                                       : media[i].marker;
        }
    }
    return NULL;
}

static bool is_text_part(const tw_value *part)
{
    return part->kind == TW_VALUE_STRING ||
           tw_value_is(tw_value_member(part, "type"), "text");
}

static void put_part(tw_segments *out, const tw_gemma4_dialect *dialect,
                     const tw_value *part, bool model,
                     tw_gemma4_written *written)
{
    const char *marker = part_marker(dialect, part);
    if (is_text_part(part)) {
        const tw_value *text = part_text(out, part);
        if (text != NULL) {
            written->some |= put_text(out, text, model) > 0;
        }
        return;
    }
    /* The content becomes a text: it is what differs. */
    tw_encode_loss(out, TW_LOSS_PART_NOT_TEXT, part->parent,
                   marker != NULL
                       ? "The marker does not say which image, sound or video."
                       : "The template leaves the part out.");
    if (marker != NULL) {
        tw_out(out, marker);
        written->some = written->media = true;
    }
}

/* Neither text nor a list: the official template fails on an object and drops
 * all else. */
static void drop(tw_segments *out, const tw_value *content)
{
    if (content != NULL && content->kind == TW_VALUE_OBJECT) {
        tw_encode_defect(out, content, "The template fails on an object.");
    }
    if (content != NULL) {
        tw_encode_loss(out, TW_LOSS_CONTENT_NOT_TEXT, content, NULL);
    }
}

/* A list of parts reads back as one text. */
static void join(tw_segments *out, const tw_value *content)
{
    tw_encode_loss(out, TW_LOSS_PARTS_JOINED, content, NULL);
}

/* Text of the model that a decoder takes for a call without its marker. */
static bool looks_like_call(const char *text, size_t size)
{
    size_t at = TW_GEMMA_CALL_WORD_SIZE;
    if (size <= at || memcmp(text, TW_GEMMA_CALL_WORD, at) != 0) {
        return false;
    }
    while (at < size && text[at] != 0 && /* decoders read no such name */
           strchr(" \t\r\n{}()<>,\"'", text[at]) == NULL) {
        at++;
    }
    return at > TW_GEMMA_CALL_WORD_SIZE && at < size && text[at] == '{';
}

/* What of |text| was not written, of which |size| bytes were, is white space,
 * or thoughts and their markers. */
static void report_cut(tw_segments *out, const tw_value *text, size_t size,
                       bool model)
{
    const char *own = text->text;
    size_t own_size = text->size;
    tw_python_strip(&own, &own_size);
    if (model && size != own_size) {
        tw_encode_loss(out, TW_LOSS_CONTENT_DROPPED, text,
                       "The template cuts thoughts off this text.");
    } else if (size != text->size) {
        tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, text, NULL);
    }
}

static bool put_whole_text(tw_segments *out, const tw_value *text, bool model)
{
    const size_t size = put_text(out, text, model);
    if (out->code != TW_OK) {
        return false;
    }
    report_cut(out, text, size, model);
    return size > 0;
}

static void put_parts(tw_segments *out, const tw_gemma4_dialect *dialect,
                      const tw_value *content, bool model,
                      tw_gemma4_written *written)
{
    join(out, content);
    for (const tw_value *part = content->first; part != NULL;
         part = part->next) {
        put_part(out, dialect, part, model, written);
    }
}

tw_gemma4_written tw_gemma4_put_content(tw_segments *out,
                                        const tw_gemma4_dialect *dialect,
                                        const tw_value *content, bool model)
{
    const size_t begin = out->text.size;
    tw_gemma4_written written = {false, false};
    if (content != NULL && content->kind == TW_VALUE_STRING) {
        written.some = put_whole_text(out, content, model);
    } else if (content != NULL && content->kind == TW_VALUE_ARRAY) {
        put_parts(out, dialect, content, model, &written);
    } else {
        drop(out, content);
    }
    if (model && out->code == TW_OK && written.some &&
        looks_like_call((const char *)out->text.data + begin,
                        out->text.size - begin)) {
        tw_encode_loss(out, TW_LOSS_CONTENT_MISREAD, content,
                       "The text reads back as a call.");
    }
    return written;
}

void tw_gemma4_put_system(tw_segments *out, const tw_value *content)
{
    if (content != NULL && content->kind == TW_VALUE_STRING) {
        if (put_text(out, content, false) != content->size) {
            tw_encode_loss(out, TW_LOSS_OUTER_WHITESPACE, content, NULL);
        }
    } else if (content != NULL && content->kind == TW_VALUE_ARRAY) {
        join(out, content);
        for (const tw_value *part = content->first; part != NULL;
             part = part->next) {
            const bool some = part->kind == TW_VALUE_STRING ||
                              tw_value_member(part, "text") != NULL;
            const tw_value *text = some ? part_text(out, part) : NULL;
            if (text != NULL) {
                put_text(out, text, false);
            } else {
                tw_encode_loss(out, TW_LOSS_PART_NOT_TEXT, content, NULL);
            }
            tw_out(out, " ");
        }
    } else {
        drop(out, content);
    }
}

/* ---- results ------------------------------------------------------------ */

static void put_result_texts(tw_segments *out, const tw_value *content)
{
    join(out, content);
    tw_out(out, "{value:" TW_GEMMA4_QUOTE);
    for (const tw_value *part = content->first; part != NULL;
         part = part->next) {
        const tw_value *text =
            is_text_part(part) ? part_text(out, part) : NULL;
        if (text != NULL) {
            tw_out_text(out, text);
        }
    }
    tw_out(out, TW_GEMMA4_QUOTE "}");
}

static void put_result_media(tw_segments *out,
                             const tw_gemma4_dialect *dialect,
                             const tw_value *content)
{
    tw_gemma4_written written = {false, false};
    for (const tw_value *part = content->first; part != NULL;
         part = part->next) {
        if (!is_text_part(part)) {
            put_part(out, dialect, part, false, &written);
        }
    }
}

static void begin_result(tw_segments *out, const tw_value *name)
{
    tw_out(out, TW_GEMMA4_RESULT "response:");
    if (name != NULL) {
        tw_put_gemma_name(out, name);
    } else {
        tw_out(out, "unknown");
    }
}

void tw_gemma4_put_response(tw_segments *out, const tw_value *name,
                            const tw_value *response)
{
    begin_result(out, name);
    if (response != NULL && response->kind == TW_VALUE_OBJECT) {
        tw_put_gemma_value(out, response, TW_GEMMA4_QUOTE, false, NULL);
    } else if (response != NULL) {
        tw_out(out, "{value:");
        tw_put_gemma_value(out, response, TW_GEMMA4_QUOTE, false, NULL);
        tw_out(out, "}");
    } else {
        tw_out(out, "{value:null}");
    }
    tw_out(out, TW_GEMMA4_RESULT_END);
}

void tw_gemma4_put_result(tw_segments *out, const tw_gemma4_dialect *dialect,
                          const tw_value *name, const tw_value *content)
{
    if (content == NULL || content->kind != TW_VALUE_ARRAY) {
        tw_gemma4_put_response(out, name, content);
        return;
    }
    begin_result(out, name);
    put_result_texts(out, content);
    tw_out(out, TW_GEMMA4_RESULT_END);
    put_result_media(out, dialect, content);
}
