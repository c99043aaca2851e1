/* SPDX-License-Identifier: MIT
 *
 * Harmony, the second opinion: where a body ends, and what becomes of it.
 */
#include "naive_harmony.h"
#include "naive_json.h"

#include <stdio.h>
#include <string.h>

#define ARGUMENTS_LIMIT ((size_t)16 << 20)

/* How a body ends. */
typedef struct harmony_ending {
    enum { BY_TERMINATOR, BY_HEADER, BY_OUTPUT_END } by;
    size_t at;
    const harmony_marker *marker; /* BY_TERMINATOR */
    size_t data;    /* where the body's data begins: repeated <|message|> before
                       it are framing */
    bool undecided; /* the cut marker was not read as one: a header may have
                       begun in front of it */
} harmony_ending;

/* --- where a body ends --------------------------------------------------- */

/* One unit that may stand behind a whole JSON value: a blank, an odd one, a
 * closer too many.  Its size, or 0; |*code| is NULL for a plain blank. */
static size_t behind_value(const char *text, size_t at, size_t end,
                           const char **code)
{
    *code = NULL;
    if (at < end && memchr(" \t\r\n", text[at], 4))
        return 1;
    *code = "extra_closer";
    if (at < end && (text[at] == '}' || text[at] == ']'))
        return 1;
    *code = "literal_backslash_n";
    if (end - at >= 2 && text[at] == '\\' && memchr("nrt", text[at + 1], 3))
        return 2;
    for (size_t i = 0; naive_odd_blanks[i]; i++) {
        *code = i == 0 ? "bom" : "odd_whitespace";
        if (harmony_starts(text, at, end, naive_odd_blanks[i]))
            return strlen(naive_odd_blanks[i]);
    }
    return 0;
}

/* Where does the JSON value of a call end that no marker interrupts?
 * Behind |end| if it does not. */
static size_t end_of_value(harmony_reader *reader, size_t at, size_t end)
{
    naive_message scratch = {.has_content = false};
    naive_json json = {.outcome = NAIVE_BROKEN};

    naive_arguments(&scratch, reader->text, at, end, &json);
    size_t found = json.outcome == NAIVE_WHOLE ? json.end : end + 1;

    naive_release(&json.text);
    naive_message_release(&scratch);
    return found;
}

/* `assistant` with a header glued to it? */
static harmony_verdict stripped_header(const char *text, size_t at, size_t end)
{
    if (!harmony_starts(text, at, end, "assistant") &&
        !harmony_begins(text, at, end, "assistant"))
        return HARMONY_NO;
    return harmony_read_stripped(text, at, end).verdict;
}

/* The markers were stripped: does such a header end the body?  Not inside the
 * JSON of a call. */
static bool find_stripped_header(harmony_reader *reader,
                                 const harmony_body *body,
                                 harmony_ending *ending)
{
    size_t at = body->at, end = harmony_stripped_until(reader);
    const char *code;

    if (body->kind == BODY_UNUSABLE && body->refused)
        return false;

    if (body->kind == BODY_CALL)
        at = end_of_value(reader, at, end);
    while (at < end) {
        if (stripped_header(reader->text, at, end) == HARMONY_YES) {
            ending->by = BY_HEADER;
            ending->at = at;
            reader->first = true;
            return true;
        }
        if (body->kind != BODY_CALL)
            at++;
        else if (behind_value(reader->text, at, end, &code))
            at += behind_value(reader->text, at, end, &code);
        else
            break;
    }
    return false;
}

/* A start or channel marker in a body: is it the next header?  If not, it is
 * data, and |*at| is behind it. */
static bool is_next_header(harmony_reader *reader, const harmony_body *body,
                           const harmony_marker *marker, harmony_ending *ending,
                           size_t *at)
{
    size_t behind;

    if (body->any_header || marker->at == body->next_header)
        return true;
    if (harmony_next_header(reader->text, reader->size, marker, at)) {
        naive_diagnose(reader->message, "missing_end", marker->at);
        return true;
    }
    naive_diagnose(reader->message, "marker_in_body", marker->at);
    if (harmony_next_header(reader->text, reader->cut, marker, &behind))
        ending->undecided = true;
    return false;
}

/* --- markers inside strings ---------------------------------------------- */

#define QUOTE_LIMIT ((size_t)1024)
#define WORDS_LIMIT ((size_t)256)

/* Is the string that is open at |at| closed behind |seen|?  The next quote
 * ends it if what follows is JSON; where none comes soon the string goes on. */
static bool is_string_closed(const harmony_reader *reader,
                             const naive_json *json, size_t at, size_t seen,
                             size_t *behind)
{
    const char *follows = json->in_container ? ",:}]" : "<}]";
    bool closed = false, escaped = false;

    for (; seen < reader->size; seen++) {
        char c = reader->text[seen];

        *behind = seen;
        if (closed && !memchr(" \t\r\n", c, 4))
            return memchr(follows, c, strlen(follows)) != NULL;
        if (seen - at > QUOTE_LIMIT)
            return true;
        closed = closed || (!escaped && c == json->quote);
        escaped = !escaped && c == '\\';
    }
    *behind = seen;
    return closed && !json->in_container;
}

/* In a string of a call's JSON a marker is quoted if text follows, be it a
 * header: then only if the string is closed behind that.  |*behind|: the text
 * up to there is data. */
static bool is_quoted(const harmony_reader *reader, const naive_json *json,
                      const harmony_marker *marker, size_t *behind)
{
    const harmony_marker *header = marker;
    size_t seen;

    *behind = marker->at + marker->size;
    if (harmony_is_terminator(marker->kind)) {
        if (*behind == reader->size)
            return false;
        header = marker[1].at == *behind ? marker + 1 : NULL;
    }
    if (!header || (header->kind != HARMONY_START &&
                    header->kind != HARMONY_CHANNEL))
        return true;
    if (!harmony_next_header(reader->text, reader->size, header, &seen)) {
        *behind = header == marker ? seen : *behind;
        return true;
    }
    seen = header->at + header->size;
    return is_string_closed(reader, json, marker->at, seen, behind);
}

static bool is_quoted_in_call(harmony_reader *reader, const harmony_body *body,
                              size_t data, const harmony_marker *marker,
                              size_t *behind)
{
    naive_message scratch = {.has_content = false};
    naive_json json = {.outcome = NAIVE_BROKEN};
    bool quoted;

    if (body->kind != BODY_CALL || marker->kind == HARMONY_OUTPUT_END)
        return false;
    naive_body_arguments(&scratch, reader->text, data, marker->at, &json);
    quoted = json.outcome == NAIVE_STOPPED && json.in_string &&
             is_quoted(reader, &json, marker, behind);
    if (quoted)
        naive_diagnose(reader->message, "marker_in_body", marker->at);
    naive_release(&json.text);
    naive_message_release(&scratch);
    return quoted;
}

static harmony_ending find_end(harmony_reader *reader, const harmony_body *body)
{
    harmony_ending found = {.data = body->at};
    const harmony_marker *next;
    size_t at = body->plain_until;

    if (body->plain_until < harmony_stripped_until(reader) &&
        find_stripped_header(reader, body, &found))
        return found;
    for (;; at = next->at + next->size > at ? next->at + next->size : at) {
        next = harmony_marker_from(reader, at);
        found.at = next->at;
        if (is_quoted_in_call(reader, body, found.data, next, &at))
            continue;
        if (next->kind == HARMONY_MESSAGE && next->at == found.data) {
            naive_diagnose(reader->message, "repeated_message", next->at);
            found.data += next->size;
        } else if (next->kind == HARMONY_MESSAGE ||
                   next->kind == HARMONY_CONSTRAIN) {
            naive_diagnose(reader->message, "marker_in_body", next->at);
        } else if (next->kind == HARMONY_OUTPUT_END) {
            found.by = BY_OUTPUT_END;
            return found;
        } else if (harmony_is_terminator(next->kind)) {
            found.by = BY_TERMINATOR;
            found.marker = next;
            return found;
        } else if (is_next_header(reader, body, next, &found, &at)) {
            found.by = BY_HEADER;
            return found;
        }
    }
}

/* --- calls --------------------------------------------------------------- */

static void add_call(harmony_reader *reader, const harmony_body *body,
                     const char *data, size_t size)
{
    naive_call *call = naive_call_add(reader->message);
    char id[32];

    snprintf(id, sizeof id, "call_%zu", reader->message->begun - 1);
    call->id.size = 0;
    naive_add_text(&call->id, id);
    naive_add(&call->name, body->name->data, body->name->size);
    call->custom = body->kind == BODY_CUSTOM;
    if (call->custom)
        naive_add_utf8(&call->arguments, data, size);
    else
        naive_add(&call->arguments, data, size);
}

void harmony_refuse(harmony_reader *reader, const harmony_body *body,
                    size_t end, const char *reason, size_t wrong)
{
    naive_unparsed *block;

    naive_diagnose(reader->message, reason, wrong);
    block = naive_unparsed_add(reader->message, body->head, end - body->head,
                               reason);
    if (body->name)
        naive_add(&block->name, body->name->data, body->name->size);
}

/* Free text cannot prove that it is whole: without a terminator or another
 * header it is not, but where the model stopped by itself and no half marker
 * makes that doubtful. */
static void finish_custom(harmony_reader *reader, const harmony_body *body,
                          const harmony_ending *ending)
{
    naive_diagnose_utf8(reader->message, reader->text, ending->data,
                        ending->at);
    if (ending->at - ending->data > ARGUMENTS_LIMIT)
        harmony_refuse(reader, body, ending->at, "limit_arguments",
                       ending->data + ARGUMENTS_LIMIT);
    else if (ending->by == BY_OUTPUT_END &&
             (reader->options->length ||
              (!ending->undecided && reader->cut < ending->at)))
        harmony_refuse(reader, body, ending->at, "truncated_call", ending->at);
    else
        add_call(reader, body, reader->text + ending->data,
                 ending->at - ending->data);
}

/* What stands behind a whole value.  True if nothing but blanks and closers
 * does; else |*at| is the byte that is neither, or |end| if it is cut. */
static bool skip_behind_value(harmony_reader *reader, size_t *at, size_t end)
{
    const char *code;
    size_t size;

    for (; (size = behind_value(reader->text, *at, end, &code)) > 0;
         *at += size)
        if (code)
            naive_diagnose(reader->message, code, *at);
    if (*at == end)
        return true;
    if (naive_is_half_blank(reader->text, *at, end))
        *at = end;
    return false;
}

/* The model stopped by itself at |end|: a terminator stood there, of which
 * half may be left if nothing else begins so. */
static bool is_stop(const harmony_reader *reader,
                    const harmony_ending *ending, size_t end)
{
    return ending->by == BY_OUTPUT_END && !reader->options->length &&
           (end == ending->at ||
            harmony_starts(reader->text, end, ending->at, "<|ca") ||
            harmony_starts(reader->text, end, ending->at, "<|r"));
}

/* The text stopped at |end|: what does a real terminator make of it? */
static bool close_arguments(harmony_reader *reader, const harmony_body *body,
                            naive_json *json, const harmony_ending *ending,
                            size_t end)
{
    if (ending->by != BY_TERMINATOR && !is_stop(reader, ending, end))
        return false;
    if (json->nothing && !naive_ends_whole(reader->text, ending->data, end))
        return false;
    if (json->nothing) {
        naive_diagnose(reader->message, "empty_arguments", body->at);
        json->text.size = 0;
        naive_add_text(&json->text, "{}");
        return true;
    }
    if (json->closable)
        naive_diagnose(reader->message, "missing_closer", end);
    return json->closable;
}

/* A few words stand behind the arguments, up to where the message ends: no
 * JSON, and no header whose markers were stripped. */
static bool are_words(const harmony_reader *reader,
                      const harmony_ending *ending, size_t at, size_t end)
{
    const size_t from = at;

    while (at < end && !memchr("{}[]\"", reader->text[at], 5))
        at++;
    return (ending->by != BY_OUTPUT_END || is_stop(reader, ending, end)) &&
           from < end && at == end && at - from <= WORDS_LIMIT &&
           harmony_stripped_until(reader) <= from;
}

/* Judges the arguments that end at |end|.  NULL: they are complete; else the
 * reason why they are not, and |*wrong|. */
static const char *judge_arguments(harmony_reader *reader,
                                   const harmony_body *body, naive_json *json,
                                   const harmony_ending *ending, size_t end,
                                   size_t *wrong)
{
    bool complete = false;

    *wrong = json->end;
    if (json->outcome == NAIVE_BROKEN)
        return json->reason;
    if (json->outcome == NAIVE_WHOLE)
        complete = skip_behind_value(reader, wrong, end);
    else if (json->end == end)
        complete = close_arguments(reader, body, json, ending, end);
    if (!complete && json->outcome == NAIVE_WHOLE &&
        are_words(reader, ending, *wrong, end)) {
        naive_diagnose(reader->message, "junk_after_object", *wrong);
        complete = true;
    }
    if (complete)
        return NULL;
    return *wrong == end && ending->by == BY_OUTPUT_END ? "truncated_call"
                                                        : "syntax_error";
}

/* A terminator inside a JSON string was perhaps only quoted: what follows up
 * to the next marker belongs to the block.  Nothing follows a <|return|>. */
static size_t end_of_tail(const harmony_marker *terminator)
{
    return terminator->kind == HARMONY_RETURN
               ? terminator->at + terminator->size
               : terminator[1].at;
}

/* Answers where the block ends, if that is behind |ending|. */
static size_t finish_call(harmony_reader *reader, const harmony_body *body,
                          const harmony_ending *ending)
{
    naive_json json = {.outcome = NAIVE_BROKEN};
    size_t end = ending->at, wrong;
    const char *reason;

    if (ending->by == BY_OUTPUT_END && !ending->undecided)
        end = reader->cut;
    const size_t said = reader->message->diagnostic_count;
    naive_body_arguments(reader->message, reader->text, ending->data, end,
                         &json);
    bool in_string = json.outcome == NAIVE_STOPPED && json.in_string;
    if (in_string && end < ending->at) {
        /* The cut marker is data of the string: read once more with it. */
        reader->message->diagnostic_count = said;
        naive_release(&json.text);
        json = (naive_json){.outcome = NAIVE_BROKEN};
        end = ending->at;
        naive_body_arguments(reader->message, reader->text, ending->data, end,
                         &json);
        in_string = json.outcome == NAIVE_STOPPED && json.in_string;
    }

    if (in_string)
        naive_diagnose_half(reader->message, reader->text, ending->data, end);
    if (end < ending->at)
        naive_diagnose(reader->message, "partial_terminator", end);
    reason = judge_arguments(reader, body, &json, ending, end, &wrong);
    if (ending->by == BY_TERMINATOR && ending->marker->kind != HARMONY_CALL)
        naive_diagnose(reader->message, "odd_terminator", ending->at);
    if (ending->by == BY_TERMINATOR && reason && in_string)
        end = end_of_tail(ending->marker);
    if (reason)
        harmony_refuse(reader, body, end, reason, wrong);
    else
        add_call(reader, body, json.text.data, json.text.size);
    naive_release(&json.text);
    return end;
}

/* --- gap and bodies ------------------------------------------------------ */

/* Behind <|return|> the turn is over. */
static void drop_rest(harmony_reader *reader, size_t at)
{
    while (at < reader->size && memchr(" \t\r\n", reader->text[at], 4))
        at++;
    if (at < reader->size)
        naive_drop(reader->message, "output_after_end", at, reader->size - at);
}

size_t harmony_skip_terminator(harmony_reader *reader,
                               const harmony_marker *marker)
{
    reader->first = false;
    if (marker->kind != HARMONY_RETURN)
        return marker->at + marker->size;
    drop_rest(reader, marker->at + marker->size);
    return reader->size;
}

size_t harmony_read_body(harmony_reader *reader, const harmony_body *body)
{
    reader->first = false;
    const harmony_ending ending = find_end(reader, body);
    bool odd = ending.by == BY_TERMINATOR && ending.marker->kind != HARMONY_CALL;
    const char *data = reader->text + ending.data;
    size_t size = ending.at - ending.data, end = ending.at, next = end;

    if (body->kind == BODY_TEXT || body->kind == BODY_REASONING)
        naive_diagnose_utf8(reader->message, reader->text, ending.data, end);
    if (body->kind == BODY_TEXT || body->kind == BODY_REASONING)
        naive_verbatim_segment(reader->message, body->kind == BODY_REASONING,
                               data, size);
    else if (body->kind == BODY_FOREIGN)
        naive_drop(reader->message, "foreign_message", ending.data, size);
    else if (body->kind == BODY_UNUSABLE && body->refused &&
             ending.by == BY_OUTPUT_END && !ending.undecided &&
             reader->cut < end) {
        end = reader->cut;
        naive_diagnose(reader->message, "partial_terminator", end);
        harmony_refuse(reader, body, end, body->reason, body->wrong);
        end = ending.at;
    } else if (body->kind == BODY_UNUSABLE)
        harmony_refuse(reader, body, end, body->reason, body->wrong);
    else if (body->kind == BODY_CUSTOM)
        finish_custom(reader, body, &ending);
    else
        end = finish_call(reader, body, &ending);
    if (body->kind == BODY_UNUSABLE && body->refused && odd)
        naive_diagnose(reader->message, "odd_terminator", ending.at);
    if (ending.by == BY_TERMINATOR)
        next = harmony_skip_terminator(reader, ending.marker);
    return next > end ? next : end;
}
