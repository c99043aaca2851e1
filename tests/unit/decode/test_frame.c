/* SPDX-License-Identifier: MIT
 *
 * The frame reads what a description says: sections, heads with an index,
 * fences, leads of several bytes, bodies that nothing closes.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/loaded.h"
#include "support/events.h"

static loaded_format draft;

static const tw_format *format_of(const char *json)
{
    cr_assert(loaded_make(&draft, "test", json, strlen(json)), "%s",
              draft.loaded.message);
    return &draft.format;
}

/* The message, as `content|NAME#ID(ARGUMENTS)...|unparsed...`. */
static void say(char *out, size_t size, tw_decoder *decoder, const char *text)
{
    char unparsed[256] = "";
    char name[64] = "";
    const tw_event *event;
    out[0] = 0;
    tw_decoder_feed(decoder, text, strlen(text), TW_MARK_UNKNOWN);
    for (int finished = 0; finished < 2; finished++) {
        while (tw_decoder_next(decoder, &event) == 1) {
            const size_t at = strlen(out);
            switch (event->type) {
            case TW_EVENT_TEXT:
                snprintf(out + at, size - at, "%.*s", (int)event->size,
                         event->data);
                break;
            case TW_EVENT_REASONING:
                snprintf(out + at, size - at, "~%.*s~", (int)event->size,
                         event->data);
                break;
            case TW_EVENT_CALL_BEGIN:
                snprintf(name, sizeof name, "|%.*s#%.*s(", (int)event->size,
                         event->data, (int)event->id_size, event->id);
                strcat(out, name);
                break;
            case TW_EVENT_CALL_ARGUMENTS:
                snprintf(out + at, size - at, "%.*s", (int)event->size,
                         event->data);
                break;
            case TW_EVENT_CALL_END:
                strcat(out, event->code == TW_CALL_COMPLETE ? ")|" : "!|");
                break;
            case TW_EVENT_UNPARSED: strcat(unparsed, "?"); break;
            default: break;
            }
        }
        if (finished == 0) {
            tw_decoder_finish(decoder, TW_FINISH_STOP);
        }
    }
    strcat(out, unparsed);
}

typedef struct row {
    const char *text;
    const char *says;
} row;

/* Every row says what it should, whole and by any chunk, fast and slow. */
static void check_rows(const char *json, const row *rows)
{
    tw_decoder *decoder = tw_decoder_new(format_of(json), NULL);
    tw_decoder_set(decoder, TW_OPTION_FRAMING, 1);
    tw_decoder_set(decoder, TW_OPTION_KEEP_RAW, 1);
    event_log whole = {0};
    event_log cut = {0};
    for (; rows->text != NULL; rows++) {
        char said[1024];
        const size_t size = strlen(rows->text);
        const feeding all = {0, NULL, 0};
        tw_decoder_reset(decoder);
        say(said, sizeof said, decoder, rows->text);
        cr_expect_str_eq(said, rows->says, "%s: %s", rows->text, said);
        event_log_run(&whole, decoder, rows->text, size, &all, NULL, 0);
        const char *wrong = event_log_check(&whole, size);
        cr_expect_null(wrong, "%s: %s", rows->text, wrong);
        for (size_t chunk = 1; chunk < 12; chunk++) {
            const feeding chunks = {chunk, NULL, 0};
            event_log_run(&cut, decoder, rows->text, size, &chunks, NULL, 0);
            cr_expect(event_log_same(&whole, &cut), "%s by %zu", rows->text,
                      chunk);
        }
    }
    event_log_free(&whole);
    event_log_free(&cut);
    tw_decoder_free(decoder);
    loaded_free(&draft);
}

Test(frame, sections_and_names_with_an_index)
{
    static const row rows[] = {
        {"Hi.<S><c>functions.f:0<a>{\"x\": 1}</c><c>functions.g:1<a>{}</c></S>"
         "<e>",
         "Hi.|f#functions.f:0({\"x\": 1})||g#functions.g:1({})|"},
        {"<S>\n<c>functions.f:0 <a> {}</c>\n</S>\nBye",
         "|f#functions.f:0({})|\nBye"},
        {"<S><c>f<a>{}</c></S>", "|f#f({})|"},
        /* closers that are missing */
        {"<S><c>functions.f:0<a>{}<c>functions.g:1<a>{}</S>",
         "|f#functions.f:0({})||g#functions.g:1({})|"},
        {"<S><c>functions.f:0<a>{}</c><e>", "|f#functions.f:0({})|"},
        {"<S><c>functions.f:0<a>{}", "|f#functions.f:0({})|"},
        {"<S><c>functions.f:0<a>{\"x\": ", "|f#functions.f:0({\"x\": !|?"},
        {"<c>functions.f:0<a>{}</c>", "|f#functions.f:0({})|"},
        /* text in the section, behind it, in place of it */
        {"<S><c>f<a>{}</c> and <c>g<a>{}</c></S>", "|f#f({})||g#g({})|"},
        {"<S><c>f<a>{}</c> and that is all", "|f#f({})| and that is all"},
        {"<S> no call here", "<S> no call here"},
        {"<S></S>", "?"},
        {"<S>", "?"},
        /* one bad call leaves its neighbours */
        {"<S><c>f<a>{x}</c><c>g<a>{}</c></S>", "|f#f({!||g#g({})|?"},
        /* in open reasoning: only if all that follows is calls */
        {"<t>hm<S><c>f<a>{}</c></S><e>", "~hm~|f#f({})|"},
        {"<t>hm<S><c>f<a>{}</c></S>.</t>x", "~hm~~<S><c>f<a>{}</c></S>.~x"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"tokens\":[\"<c>\"],\"calls\":\"<S>{calls}</"
               "S>\",\"call\":"
               "\"<c>functions.{name}:{index}<a>{arguments}</c>\","
               "\"id\":\"functions.{name}:{index}\","
               "\"loose\":{\"call\":\"<c>{name}<a>{arguments}</c>\"},"
               "\"reasoning\":\"<t>{text}</t>\",\"stops\":\"<e>\"}",
               rows);
}

Test(frame, fences_and_leads_of_three_bytes)
{
    static const row rows[] = {
        {"\xEF\xBC\x9E\xEF\xBD\x9C"
         "f\n```json\n{\"x\": \"```\"}\n```"
         "\xEF\xBD\x9D",
         "\xEF\xBC\x9E|f#call_0({\"x\": \"```\"})|"},
        {"a \xEF\xBD b\xEF\xBD\x9C"
         "f\n```json\n{}\n```\xEF\xBD\x9D",
         "a \xEF\xBF\xBD b|f#call_0({})|"},
        {"\xEF\xBD\x9C"
         "f\n```json\n{}\xEF\xBD\x9D",
         "|f#call_0({})|"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"tokens\":[\"\xEF\xBD\x9D\"],\"call\":"
               "\"\xEF\xBD\x9C{name}\\n```json\\n"
               "{arguments}\\n```\xEF\xBD\x9D\"}",
               rows);
}

Test(frame, a_list_that_nothing_closes)
{
    static const row rows[] = {
        {"functools[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", "
         "\"arguments\": {\"a\": [1]}}]<e>",
         "|f#call_0({})||g#call_1({\"a\": [1]})|"},
        {"function tools", "function tools"},
        {"a functools[{\"name\": \"f\", \"arguments\": {}}] b",
         "a|f#call_0({})| b"}, /* the blank is the template's */
        {NULL, NULL},
    };
    check_rows(
        "{\"format\":1,\"call\":\" functools{list}\",\"stops\":\"<e>\"}",
        rows);
}

/* A close marker that nothing opened is dropped if it is a token. */
Test(frame, orphans_that_are_tokens)
{
    static const row rows[] = {
        {"Nine.</c><e>", "Nine."},  {"Nine.</c> Ten.", "Nine. Ten."},
        {"</c> Ten.", " Ten."},     {"a</c>\n</c>b", "a\nb"},
        {"Nine.</d>", "Nine.</d>"}, {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":[\"<c>{object}</c>\",\"<d>{object}"
               "</d>\"],\"tokens\":[\"<c>\",\"</c>\"],\"stops\":\"<e>\"}",
               rows);
}

/* A marker that begins with a bracket opens no list. */
Test(frame, a_marker_is_no_list)
{
    static const row rows[] = {
        {"[C][{\"name\": \"f\", \"arguments\": {}}]", "|f#call_0({})|"},
        {"[C][C]x\n", "[C][C]x\n"},
        {"a[C][C]x y", "a[C][C]x y"},
        {"[C][D]f[A]{}", "[C]|f#call_0({})|"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":[\"[C]{list}\",\"[D]{name}[A]"
               "{arguments}\"],\"loose\":{\"call\":\"[C]{name}[A]"
               "{arguments}\"}}",
               rows);
}

/* A call opens with two markers: one and an object are text. */
Test(frame, half_of_an_opener)
{
    static const row rows[] = {
        {"<c><p>\n{\"name\": \"f\", \"arguments\": {}}</c>", "|f#call_0({})|"},
        {"<c>{\"a\": 1}", "<c>{\"a\": 1}"},
        {"<c> [1]<c>x\n{}", "<c> [1]<c>x\n{}"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":\"<c><p>\\n{object}</c>\","
               "\"tokens\":[\"<c>\",\"<p>\"]}",
               rows);
}

Test(frame, keys_of_its_own)
{
    static const row rows[] = {
        {"<c>{\"tool_name\": \"f\", \"parameters\": {}, \"tool_call_id\": "
         "\"7\"}</c>",
         "|f#7({})|"},
        {"<c>{\"tool_call_id\": \"7\", \"tool_name\": \"f\", \"parameters\": "
         "{}}</c>",
         "|f#7({})|"},
        {"<c>{\"name\": \"f\", \"arguments\": {}}</c>", "|f#call_0({})|"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":\"<c>{object}</c>\",\"name_key\":"
               "\"tool_name\",\"arguments_key\":\"parameters\",\"id_key\":"
               "\"tool_call_id\"}",
               rows);
}

/* Markers that are text like any other.  A close that is missing costs no
 * call: the next one opens where its head goes on. */
Test(frame, calls_behind_plain_words)
{
    static const row rows[] = {
        {"[all]@@run f[A]{}@@run g[A]{}@@end[/all]",
         "|f#call_0({})||g#call_1({})|"},
        {"[all]@@run f[A]{} or @@run g[A]{}@@end[/all]",
         "|f#call_0({})||g#call_1({})|"},
        {"[all]@@run f[A]{}@@end or @@run g[A]{}@@end[/all]",
         "|f#call_0({})||g#call_1({})|"},
        {"@@run f[A]{} or @@run g[A]{}@@end",
         "|f#call_0({})| or |g#call_1({})|"},
        {"@@run f[A]{\"a\": 1 @@run g[A]{}@@end",
         "|f#call_0({\"a\": 1 !||g#call_1({})|?"},
        {"@@run f[A]{\"a\": \"@@run g[A]{}@@end",
         "|f#call_0({\"a\": \"@@run g[A]{}@@end!|?"},
        /* nothing that is none */
        {"@@run f[A]{} @@run @@end", "|f#call_0({})|"},
        {"@@run f[A]{}@@run g", "|f#call_0({})|@@run g"},
        {NULL, NULL},
    };
    static const row objects[] = {
        {"@@run {\"name\": \"f\", \"arguments\": {}}\n@@run "
         "{\"name\": \"g\", \"arguments\": {}}@@end",
         "|f#call_0({})||g#call_1({})|"},
        {NULL, NULL},
    };
    static const row keyed[] = {
        {"@@run [{\"f\": {}}]@@end", "|f#call_0({})|"},
        {"@@run [{\"f\": {}}, {\"g\": {}}]@@run [{\"h\": {}}]",
         "|f#call_0({})||g#call_1({})||h#call_2({})|"},
        {"@@run [{\"f\": 1}]@@end", "@@run [{\"f\": 1}]@@end"},
        {NULL, NULL},
    };
    static const row tagged[] = {
        {"@@run f[A]<k>a</k><v>b</v>@@run g[A]<k>a</k><v>c</v>@@end",
         "|f#call_0({\"a\":\"b\"})||g#call_1({\"a\":\"c\"})|"},
        {"@@run f[A]<k>@@run g[A]<k>a</k><v>c</v>@@end",
         "|f#call_0(!||g#call_1({\"a\":\"c\"})|?"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":\"@@run {name}[A]{arguments}@@end\","
               "\"calls\":\"[all]{calls}[/all]\"}",
               rows);
    check_rows("{\"format\":1,\"call\":\"@@run {object}@@end\"}", objects);
    check_rows("{\"format\":1,\"call\":\"@@run {keyed}@@end\"}", keyed);
    check_rows("{\"format\":1,\"call\":\"@@run {name}[A]{arguments}@@end\","
               "\"argument\":\"<k>{key}</k><v>{value}</v>\"}",
               tagged);
}

/* Each call has its own id, from where the wire has it. */
Test(frame, ids_of_calls)
{
    static const row made[] = {
        {"@@run f #1[A]{}@@end@@run f # 2[A]{}@@end",
         "|f#f-1({})||f#f-2({})|"},
        {"@@run f #[A]{}@@end", "|f#call_0({})|"},
        {NULL, NULL},
    };
    static const row from_1[] = {
        {"<c>f/1<a>{}</c><c>g/10<a>{}</c><c>h/0<a>{}</c>",
         "|f##0({})||g##9({})||h#call_2({})|"},
        {"<c>f<a>{}</c>", "<c>f<a>{}</c>"},
        {NULL, NULL},
    };
    static const row whole[] = {
        {"@@run to.f:1[A]{}@@end", "|f#to.f:1({})|"},
        {"@@run to.f:x:12[A]{}@@end", "|f:x#to.f:x:12({})|"},
        {NULL, NULL},
    };
    static const row attributes[] = {
        {"<c name=\"f\" id=\"7\">{}</c><c id=\"8\" name=\"g\">{}</c>",
         "|f#7({})||g#8({})|"},
        {NULL, NULL},
    };
    static const row objects[] = {
        {"<c id=\"7\">{\"name\": \"f\", \"arguments\": {}}</c>", "|f#7({})|"},
        {"<c id=\"7\">{\"arguments\": {}}{\"name\": \"g\", \"arguments\": "
         "{}}</c>",
         "|g#call_0({})|?"},
        {"<c id=\"7\">{\"name\": \"f\", \"arguments\": {}, \"id\": "
         "\"9\"}</c>",
         "|f#9({})|"},
        {NULL, NULL},
    };
    static const row open[] = {
        {"<c>f #7 {}</c>", "|f##7({})|"},
        {"<c>f #7 5</c>", "|f##7(!|?"},
        {"<c>f #7 </c>", "|f##7({})|"},
        {"<c>f # and more</c>", "<c>f # and more</c>"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":\"@@run {name} #{index}[A]{arguments}"
               "@@end\",\"id\":\"{name}-{index}\"}",
               made);
    check_rows("{\"format\":1,\"call\":\"<c>{name}/{index:1}<a>{arguments}"
               "</c>\",\"id\":\"#{index}\"}",
               from_1);
    check_rows("{\"format\":1,\"call\":\"@@run to.{name}:{index}[A]{arguments}"
               "@@end\",\"id\":\"to.{name}:{index}\"}",
               whole);
    check_rows("{\"format\":1,\"call\":\"<c name=\\\"{name}\\\" id=\\\"{id}"
               "\\\">{arguments}</c>\"}",
               attributes);
    check_rows("{\"format\":1,\"call\":\"<c id=\\\"{id}\\\">{object}</c>\","
               "\"id_key\":\"id\"}",
               objects);
    check_rows("{\"format\":1,\"call\":\"<c>{name} #{index} {arguments}</c>"
               "\",\"id\":\"#{index}\"}",
               open);
}

/* A key ends at what stands behind it, whatever that is. */
Test(frame, keys_between_plain_words)
{
    static const row rows[] = {
        {"<c>f<a>- at: Brest\n;- unit : m\n;</c>",
         "|f#call_0({\"at\":\"Brest\",\"unit\":\"m\"})|"},
        {"<c>f<a>- at::Brest\n;</c>", "|f#call_0({\"at\":\":Brest\"})|"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"call\":\"<c>{name}<a>{arguments}</c>\","
               "\"argument\":\"- {key}: {value}\\n;\"}",
               rows);
}

/* A look-ahead begins anew in each message: that of the first row ends in a
 * list that may stand there once more. */
Test(frame, echoes_in_reasoning)
{
    static const row rows[] = {
        {"<t>hm<s>[g()]</s>[g(a='longer than the next echo is</t>x",
         "~hm~~<s>[g()]</s>[g(a='longer than the next echo is~x"},
        {"<t>hm<s>[g()]</s>[g()]</s>", "~hm~|g#call_0({})|"},
        {NULL, NULL},
    };
    check_rows("{\"format\":1,\"tokens\":[\"<s>\",\"</s>\"],"
               "\"call\":\"<s>{python}</s>\",\"quirks\":[\"echo\"],"
               "\"reasoning\":\"<t>{text}</t>\",\"stops\":\"<e>\"}",
               rows);
}
