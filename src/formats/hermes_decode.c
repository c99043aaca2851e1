/* SPDX-License-Identifier: MIT
 *
 * A Hermes completion: text, reasoning and blocks of calls.
 */
#include <string.h>

#include "formats/hermes_head.h"
#include "formats/segment.h"

enum mode {
    TEXT,
    REASONING,
    BETWEEN, /* inside a block, between objects */
    OBJECT,
    TAGS,    /* inside a body of tags */
    SKIP,    /* a malformed call, to the next tag */
    END      /* behind a stop token */
};

enum array { NO_ARRAY, IN_ARRAY, ARRAY_CLOSED };

typedef struct hermes {
    tw_memory memory;
    const tw_format *format;
    tw_window *window;
    tw_sink *sink;
    tw_decode_options options;
    uint8_t mode;
    bool may_be_bare;     /* nothing but blanks came yet: the open tag of a
                             call may have been stripped */
    bool may_think;       /* a repeated `<think>` is framing here */
    bool bare;            /* the block has no open tag */
    tw_segment segment;
    uint64_t plain_until; /* no tag counts in front of this offset */
    /* The block. */
    uint64_t block;
    bool fence;           /* its object stands in a code fence */
    bool many;            /* many_objects_in_tag was said */
    bool swallow;         /* half of a doubled brace may follow */
    uint8_t array;
    uint32_t elements;
    tw_hermes_call call;
    uint64_t dropped;
    /* A look-ahead: another decoder reads on without making events. */
    struct hermes *child;
    bool looking;
    size_t look_size;     /* bytes it has seen */
    tw_window child_window;
    tw_sink child_sink;
} hermes;

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink);
static tw_step step(void *data);

/* ---- tags --------------------------------------------------------------- */

tw_hermes_tag tw_hermes_tag_at(const tw_window *window, const uint8_t *at,
                               size_t *size)
{
    const tw_hermes_tag tag =
        tw_hermes_scan_tag(at, window->limit, window->eof, size);
    /* The others are matched in ordinary text by tokenizers, too. */
    return tag == TW_HERMES_STOP && window->marks.size > 0 &&
                   tw_window_is_marked_text(window, at, *size)
               ? TW_HERMES_NONE
               : tag;
}

bool tw_hermes_is_cut_tag(const tw_window *window, const uint8_t *at)
{
    static const char *const tags[] = {"<tool_call>", "</tool_call>",
                                       "<|im_end|>", "<|endoftext|>",
                                       "<|eot_id|>"};
    const size_t left = (size_t)(window->limit - at);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (left < strlen(tags[i]) && memcmp(at, tags[i], left) == 0) {
            return window->eof;
        }
    }
    return false;
}

static void diagnose(hermes *state, uint32_t code, const uint8_t *at)
{
    tw_sink_diagnostic(state->sink, code,
                       tw_window_offset(state->window, at));
}

static void framing(hermes *state, size_t size)
{
    tw_sink_framing(state->sink, state->window->offset, size);
    tw_window_skip(state->window, size);
}

/* ---- text --------------------------------------------------------------- */

static void enter_text(hermes *state, uint8_t strips)
{
    state->mode = TEXT;
    state->segment.strips = strips;
    tw_segment_start(&state->segment, TW_EVENT_TEXT);
    state->window->recording = false;
}

static void enter_reasoning(hermes *state, bool at_start)
{
    state->mode = REASONING;
    state->may_think = at_start;
    state->segment.strips = 1;
    tw_segment_start(&state->segment, TW_EVENT_REASONING);
}

static void end_segment(hermes *state, bool touches_call)
{
    tw_segment_end_before(&state->segment, state->window, state->sink,
                          touches_call);
}

static void enter_end(hermes *state, size_t size)
{
    end_segment(state, false);
    framing(state, size);
    state->dropped = 0;
    state->mode = END;
}

static tw_step text_run(hermes *state, const uint8_t *from)
{
    const tw_window *window = state->window;
    const uint8_t *to = from + 1;
    const uint8_t *less = memchr(to, '<', (size_t)(window->limit - to));
    to = less != NULL ? less : window->limit;
    if (state->plain_until > tw_window_offset(window, from)) {
        const uint64_t left = state->plain_until - window->offset;
        to = left < tw_window_size(window) ? window->at + left
                                           : window->limit;
        while (to < window->limit && (*to & 0xC0) == 0x80) {
            to++; /* no code point is cut in two */
        }
    }
    state->may_be_bare = false;
    return tw_segment_run(&state->segment, state->window, state->sink, from,
                          to)
               ? TW_STEP_AGAIN
               : TW_STEP_MORE;
}

/* ---- blocks ------------------------------------------------------------- */

static void start_block(hermes *state)
{
    state->block = state->window->offset;
    state->fence = state->many = state->swallow = state->bare = false;
    state->array = NO_ARRAY;
    state->elements = 0;
    state->may_be_bare = false;
    state->mode = BETWEEN;
    tw_sink_record(state->sink);
}

/* A block that holds no call: all of it, up to the window. */
static void list_block(hermes *state, uint32_t code)
{
    const uint64_t end = state->window->offset;
    const size_t size = (size_t)(end - state->block);
    tw_sink_unparsed(state->sink, TW_NO_INDEX, code, state->block, end,
                     tw_sink_recorded(state->sink, 0, size), size, NULL, 0);
}

static tw_step begin_block(hermes *state, const uint8_t *open, size_t size)
{
    tw_window *window = state->window;
    const uint8_t *behind = open + size;
    const tw_hermes_head head = tw_hermes_head_at(window, behind, NULL);
    if (head.kind == TW_HERMES_HEAD_MORE) {
        return TW_STEP_MORE;
    }
    if (head.kind == TW_HERMES_HEAD_NONE ||
        (state->options.strict && head.loose)) {
        return text_run(state, open);
    }
    end_segment(state, true);
    start_block(state);
    tw_hermes_head_at(window, window->at + size, state->sink);
    if (head.kind == TW_HERMES_HEAD_CUT ||
        head.kind == TW_HERMES_HEAD_EMPTY) {
        const bool cut = head.kind == TW_HERMES_HEAD_CUT;
        const uint32_t code =
            cut ? TW_DIAGNOSTIC_TRUNCATED_CALL : TW_DIAGNOSTIC_EMPTY_CALL;
        diagnose(state, code, cut ? head.body : window->at);
        tw_window_skip(window, (size_t)(head.body - window->at));
        list_block(state, code);
        enter_text(state, 1);
        return TW_STEP_AGAIN;
    }
    state->fence = head.fence;
    if (head.kind == TW_HERMES_HEAD_JSON) {
        tw_window_skip(window, (size_t)(head.body - window->at));
        return TW_STEP_AGAIN;
    }
    const bool glm = head.kind == TW_HERMES_HEAD_GLM;
    diagnose(state,
             glm ? TW_DIAGNOSTIC_GLM_BODY : TW_DIAGNOSTIC_QWEN3_CODER_BODY,
             window->at);
    tw_hermes_tag_body_start(&state->call, state->block, glm, head.name,
                             head.name_size);
    tw_window_skip(window, (size_t)(head.body - window->at));
    state->elements = 1;
    state->mode = TAGS;
    return TW_STEP_AGAIN;
}

/* Leaves the block: a close tag is framing, anything else stays where it is
 * and is read as what comes behind. */
static void leave_block(hermes *state, size_t close_size)
{
    framing(state, close_size);
    enter_text(state, 1);
}

static void close_block(hermes *state, bool by_tag, size_t size)
{
    tw_window *window = state->window;
    if (!by_tag) {
        diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    }
    if (state->array == IN_ARRAY) {
        diagnose(state, TW_DIAGNOSTIC_MISSING_CLOSER, window->at);
        if (state->elements == 0) {
            tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL,
                               state->block);
            list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
        }
    }
    leave_block(state, by_tag ? size : 0);
}

static void begin_element(hermes *state)
{
    tw_window *window = state->window;
    const bool first = state->elements == 0;
    state->elements++;
    if (!first) {
        tw_sink_record(state->sink);
    }
    tw_hermes_call_start(&state->call,
                         first ? state->block : window->offset);
}

static void broken(hermes *state, uint32_t reason, uint64_t offset)
{
    tw_hermes_call *call = &state->call;
    const uint64_t end = offset - state->window->offset;
    tw_hermes_call_fail(call, reason, offset);
    tw_window_skip(state->window, (size_t)end);
    state->mode = SKIP;
}

static void not_object(hermes *state)
{
    begin_element(state);
    broken(state, TW_DIAGNOSTIC_NOT_OBJECT, state->window->offset);
}

/* Prose behind the object: dropped if a close tag ends it soon, else it was
 * text. */
static tw_step junk_after(hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *to = window->at;
    tw_hermes_tag tag = TW_HERMES_NONE;
    size_t size = 0;
    while (to < window->limit) {
        tag = *to == '<' ? tw_hermes_tag_at(window, to, &size)
                         : TW_HERMES_NONE;
        if (tag == TW_HERMES_CALL || tag == TW_HERMES_CALL_END ||
            tag == TW_HERMES_STOP || tag == TW_HERMES_MORE ||
            to - window->at > TW_HOLD_JUNK) {
            break;
        }
        to++;
    }
    const bool far = to - window->at > TW_HOLD_JUNK;
    if (!far && (tag == TW_HERMES_MORE ||
                 (to == window->limit && !window->eof))) {
        return TW_STEP_MORE;
    }
    const size_t junk = (size_t)(to - window->at);
    if (!far && tag == TW_HERMES_CALL_END) {
        const uint8_t *end = to;
        while (end > window->at && tw_hermes_is_blank(end[-1])) {
            end--;
        }
        if (state->fence && end - window->at == 3 &&
            memcmp(window->at, "```", 3) == 0) {
            framing(state, junk);
        } else {
            tw_sink_dropped(state->sink, TW_DIAGNOSTIC_JUNK_AFTER_OBJECT,
                            window->offset, junk);
            tw_window_skip(window, junk);
        }
        close_block(state, true, size);
        return TW_STEP_AGAIN;
    }
    diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_CLOSE, window->at);
    enter_text(state, 1);
    state->plain_until = tw_window_offset(window, to);
    return TW_STEP_AGAIN;
}

/* A tag between objects. */
static tw_step between_tag(hermes *state)
{
    tw_window *window = state->window;
    size_t size;
    const tw_hermes_tag tag = tw_hermes_tag_at(window, window->at, &size);
    if (tag == TW_HERMES_MORE) {
        return TW_STEP_MORE;
    }
    const bool closes = tag == TW_HERMES_CALL_END;
    if (tag == TW_HERMES_STOP && state->elements == 0) {
        diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        leave_block(state, 0);
        return TW_STEP_AGAIN;
    }
    if (closes || tag == TW_HERMES_CALL || tag == TW_HERMES_STOP) {
        close_block(state, closes, size);
        return TW_STEP_AGAIN;
    }
    if (state->array == IN_ARRAY && !tw_hermes_is_cut_tag(window, window->at)) {
        not_object(state);
        return TW_STEP_AGAIN;
    }
    if (tw_hermes_is_cut_tag(window, window->at)) {
        tw_window_skip(window, 0);
        return TW_STEP_DONE;
    }
    return junk_after(state);
}

/* The output ends between objects. */
static void end_between(hermes *state)
{
    tw_window *window = state->window;
    const size_t left = tw_window_size(window);
    if (state->elements == 0) {
        tw_window_skip(window, left);
        diagnose(state, TW_DIAGNOSTIC_TRUNCATED_CALL, window->at);
        list_block(state, TW_DIAGNOSTIC_TRUNCATED_CALL);
        enter_text(state, 1);
        return;
    }
    framing(state, left); /* a close tag that is cut in two */
    close_block(state, false, 0);
}

static void pass(hermes *state, size_t size)
{
    if (state->elements > 0) {
        framing(state, size);
    } else {
        tw_window_skip(state->window, size);
    }
}

static void empty_array(hermes *state)
{
    tw_window_skip(state->window, 1);
    tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_EMPTY_CALL, state->block);
    list_block(state, TW_DIAGNOSTIC_EMPTY_CALL);
    state->elements = 1;
}

static tw_step read_between(hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *at = window->at;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        end_between(state);
        return TW_STEP_AGAIN;
    }
    const uint8_t c = *at;
    const bool swallow = state->swallow;
    if (c == '<') {
        const tw_step tag = between_tag(state);
        if (tag == TW_STEP_DONE) {
            end_between(state);
        }
        return tag == TW_STEP_MORE ? TW_STEP_MORE : TW_STEP_AGAIN;
    }
    state->swallow = false;
    if (c == '{') {
        if (state->elements > 0 && state->array == NO_ARRAY &&
            !state->many) {
            state->many = true;
            diagnose(state, TW_DIAGNOSTIC_MANY_OBJECTS_IN_TAG, at);
        }
        begin_element(state);
        state->mode = OBJECT;
    } else if (c == '[' && state->elements == 0 &&
               state->array == NO_ARRAY) {
        state->array = IN_ARRAY;
        diagnose(state, TW_DIAGNOSTIC_ARRAY_IN_TAG, at);
        tw_window_skip(window, 1);
    } else if (c == ']' && state->array == IN_ARRAY) {
        state->array = ARRAY_CLOSED;
        if (state->elements == 0) {
            empty_array(state);
        } else {
            framing(state, 1);
        }
    } else if ((c == ']' || c == '}') && state->elements > 0) {
        if (!swallow || c != '}') {
            diagnose(state, TW_DIAGNOSTIC_EXTRA_CLOSER, at);
        }
        framing(state, 1);
    } else if (tw_hermes_is_blank(c) || (c == ',' && state->elements > 0)) {
        pass(state, 1);
    } else if (state->array == IN_ARRAY) {
        not_object(state);
    } else {
        return junk_after(state);
    }
    return TW_STEP_AGAIN;
}

/* ---- calls -------------------------------------------------------------- */

static void element_done(hermes *state)
{
    state->swallow = state->call.json.swallow;
    state->mode = BETWEEN;
}

/* The output, or a stop token, cuts the call off.  |left| bytes of a cut tag
 * stand at the window. */
static void cut_call(hermes *state)
{
    tw_hermes_call *call = &state->call;
    tw_window *window = state->window;
    if (state->mode == OBJECT && tw_hermes_call_closable(call, true)) {
        tw_hermes_call_close(call);
        element_done(state);
        return;
    }
    size_t size;
    const bool stopped =
        tw_window_size(window) > 0 && *window->at == '<' &&
        tw_hermes_tag_at(window, window->at, &size) == TW_HERMES_STOP;
    if (!stopped) {
        tw_window_skip(window, tw_window_size(window));
    }
    const bool failed = call->fail != 0;
    tw_hermes_call_fail(call, TW_DIAGNOSTIC_TRUNCATED_CALL, window->offset);
    tw_hermes_call_reject(call, call->fail,
                          failed ? TW_CALL_MALFORMED : TW_CALL_INCOMPLETE);
    leave_block(state, 0);
}

/* A `<` between the tokens of an object. */
static tw_step object_tag(hermes *state)
{
    tw_window *window = state->window;
    tw_hermes_call *call = &state->call;
    size_t size;
    const tw_hermes_tag tag = tw_hermes_tag_at(window, window->at, &size);
    if (tag == TW_HERMES_MORE) {
        return TW_STEP_MORE;
    }
    const bool closes = tag == TW_HERMES_CALL_END;
    const bool other = tag == TW_HERMES_CALL || tag == TW_HERMES_STOP;
    if (tw_hermes_is_cut_tag(window, window->at) && !closes && !other) {
        cut_call(state);
    } else if ((closes || other) &&
               tw_hermes_call_closable(call, !closes)) {
        tw_hermes_call_close(call);
        element_done(state);
    } else if (tag == TW_HERMES_STOP) {
        cut_call(state);
    } else {
        broken(state, TW_DIAGNOSTIC_SYNTAX_ERROR, window->offset);
    }
    return TW_STEP_AGAIN;
}

static tw_step read_call(hermes *state)
{
    tw_hermes_call *call = &state->call;
    const tw_hermes_end end = state->mode == OBJECT
                                  ? tw_hermes_call_step(call)
                                  : tw_hermes_tag_body_step(call);
    switch (end) {
    case TW_HERMES_GOES_ON: return TW_STEP_AGAIN;
    case TW_HERMES_STARVED: return TW_STEP_MORE;
    case TW_HERMES_LESS: return object_tag(state);
    case TW_HERMES_CUT: cut_call(state); return TW_STEP_AGAIN;
    case TW_HERMES_BROKEN:
        broken(state, call->reason, call->reason_at);
        return TW_STEP_AGAIN;
    default: break;
    }
    if (state->mode == TAGS && call->glm) {
        enter_text(state, 1); /* the close tag was the body's end */
    } else {
        element_done(state);
        state->swallow &= !call->glm;
    }
    return TW_STEP_AGAIN;
}

/* A bad call goes on to the next tag, by plain search. */
static tw_step read_skip(hermes *state)
{
    tw_window *window = state->window;
    const uint8_t *less =
        memchr(window->at, '<', tw_window_size(window));
    tw_window_skip(window, less != NULL ? (size_t)(less - window->at)
                                        : tw_window_size(window));
    size_t size = 0;
    tw_hermes_tag tag = TW_HERMES_NONE;
    if (tw_window_size(window) > 0) {
        tag = tw_hermes_tag_at(window, window->at, &size);
        if (tag == TW_HERMES_MORE) {
            return TW_STEP_MORE;
        }
    } else if (!window->eof) {
        return TW_STEP_MORE;
    }
    const bool ends = tag == TW_HERMES_CALL || tag == TW_HERMES_CALL_END ||
                      tag == TW_HERMES_STOP || tw_window_size(window) == 0;
    if (!ends) {
        tw_window_skip(window, 1);
        return TW_STEP_AGAIN;
    }
    tw_window_skip(window, tag == TW_HERMES_CALL_END ? size : 0);
    tw_hermes_call_reject(&state->call, state->call.fail, TW_CALL_MALFORMED);
    leave_block(state, 0);
    return TW_STEP_AGAIN;
}

/* ---- looking ahead ------------------------------------------------------ */

/* A second decoder, at |from|, which sees the bytes one by one: what it comes
 * to does not depend on how they arrive. */
static bool start_looking(hermes *state, const uint8_t *from)
{
    if (state->child == NULL) {
        tw_window_init(&state->child_window, &state->memory);
        tw_sink_init(&state->child_sink, &state->memory,
                     &state->child_window);
        state->child = create(&state->memory, state->format,
                              &state->child_window, &state->child_sink);
        if (state->child == NULL) {
            tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                         "no memory");
            return false;
        }
    }
    tw_window_reset(&state->child_window);
    tw_sink_reset(&state->child_sink);
    state->child_sink.limits = state->sink->limits;
    state->child_sink.calls = state->sink->calls;
    state->child_sink.muted = true;
    state->child_window.offset = tw_window_offset(state->window, from);
    state->child->options = state->options;
    state->child->may_be_bare = false;
    state->child->plain_until = 0;
    enter_text(state->child, 0);
    state->looking = true;
    state->look_size = 0;
    return true;
}

/* Lets the child see |size| of the bytes at |from|. */
static void look_at(hermes *state, const uint8_t *from, size_t size, bool eof)
{
    tw_window *window = &state->child_window;
    const uint64_t begin = tw_window_offset(state->window, from);
    window->at = from + (window->offset - begin);
    window->limit = from + size;
    window->eof = eof;
    while (step(state->child) == TW_STEP_AGAIN &&
           state->child_sink.error.code == TW_OK) {
    }
    if (state->child_sink.error.code != TW_OK) {
        tw_sink_fail(state->sink, TW_ERROR_MEMORY, state->window->offset,
                     "no memory");
    }
}

static bool only_calls(const hermes *state)
{
    const tw_sink *seen = &state->child_sink;
    return seen->seen_complete > 0 && seen->seen_visible == 0 &&
           seen->seen_unclosed == 0;
}

typedef enum verdict { VERDICT_OPEN, VERDICT_CALLS, VERDICT_NOT } verdict;

/* Where a tag may be under way at the end of the |size| bytes at |from|. */
static size_t tail_of(const uint8_t *from, size_t size, bool stopped)
{
    static const char *const tags[] = {"</think>",   "<tool_call>",
                                       "<|im_end|>", "<|endoftext|>",
                                       "<|eot_id|>"};
    const size_t most = size < 13 ? size : 13;
    for (size_t left = 1; left <= most; left++) {
        const uint8_t *at = from + size - left;
        if (*at != '<') {
            continue;
        }
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
            const size_t length = strlen(tags[i]);
            if (stopped || (left <= length &&
                            memcmp(at, tags[i], left) == 0)) {
                return left;
            }
        }
        return 0;
    }
    return 0;
}

static bool ends_with(const uint8_t *from, size_t size, const char *word)
{
    const size_t length = strlen(word);
    return size >= length && memcmp(from + size - length, word, length) == 0;
}

/* One more byte of a block in open reasoning.  *keep: how many of the last
 * bytes are to be read again if it is none. */
static verdict look_at_block(hermes *state, const uint8_t *from, size_t *keep)
{
    const size_t size = state->look_size;
    look_at(state, from, size, false);
    *keep = 0;
    const bool stopped = state->child->mode == END;
    if (ends_with(from, size, "</think>")) {
        *keep = 8;
        return VERDICT_NOT;
    }
    if (stopped && only_calls(state)) {
        return VERDICT_CALLS;
    }
    if (stopped || state->child_sink.seen_visible > 0 ||
        state->child->mode == REASONING || size > TW_HOLD_BLOCK) {
        *keep = tail_of(from, size, stopped);
        return VERDICT_NOT;
    }
    return VERDICT_OPEN;
}

static bool settled(const hermes *state)
{
    const hermes *child = state->child;
    return child->mode == TEXT && !child->segment.begun && only_calls(state);
}

/* `<tool_call>` at |at| in open reasoning: a call if the output ends with
 * calls and nothing else, reasoning otherwise (DESIGN R10). */
static tw_step reasoning_call(hermes *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    if (!state->looking && !start_looking(state, at)) {
        return TW_STEP_AGAIN;
    }
    verdict found = VERDICT_OPEN;
    size_t keep = 0;
    while (found == VERDICT_OPEN && at + state->look_size < window->limit) {
        state->look_size++;
        found = look_at_block(state, at, &keep);
    }
    if (found == VERDICT_OPEN && !window->eof) {
        return TW_STEP_MORE;
    }
    if (found == VERDICT_OPEN) {
        found = state->child->mode == TEXT &&
                        tw_window_size(&state->child_window) ==
                            state->child->segment.held &&
                        settled(state)
                    ? VERDICT_CALLS
                    : VERDICT_NOT;
    }
    state->looking = false;
    if (found == VERDICT_CALLS) {
        const uint64_t where = tw_window_offset(window, at);
        end_segment(state, true);
        tw_sink_diagnostic(state->sink, TW_DIAGNOSTIC_CALL_IN_REASONING,
                           where);
        enter_text(state, 1);
        return TW_STEP_AGAIN;
    }
    if (state->look_size > TW_HOLD_BLOCK) {
        diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
    }
    state->plain_until =
        tw_window_offset(window, at + state->look_size - keep);
    return text_run(state, at);
}

/* Behind the object comes something that is not half a tag. */
static bool holds_junk(const hermes *child)
{
    size_t size;
    return child->mode == BETWEEN && tw_window_size(child->window) > 0 &&
           tw_hermes_tag_at(child->window, child->window->at, &size) !=
               TW_HERMES_MORE;
}

/* The output begins with `{`: the open tag of a call may have been stripped.
 * Held while it can be nothing else. */
static tw_step bare_call(hermes *state, const uint8_t *at)
{
    const tw_window *window = state->window;
    hermes *child = state->child;
    if (!state->looking) {
        if (!start_looking(state, at)) {
            return TW_STEP_AGAIN;
        }
        child = state->child;
        start_block(child);
        child->window->recording = false;
    }
    verdict found = VERDICT_OPEN;
    while (found == VERDICT_OPEN && at + state->look_size < window->limit) {
        state->look_size++;
        look_at(state, at, state->look_size, false);
        if (child->mode == TEXT && only_calls(state) &&
            ends_with(at, state->look_size, "</tool_call>")) {
            found = VERDICT_CALLS;
        } else if ((child->mode != OBJECT && child->mode != BETWEEN) ||
                   holds_junk(child) || child->call.foreign_key ||
                   state->child_sink.seen_visible > 0 ||
                   state->look_size > TW_HOLD_BLOCK) {
            found = VERDICT_NOT;
        }
    }
    if (found == VERDICT_OPEN && !window->eof) {
        return TW_STEP_MORE;
    }
    state->looking = false;
    state->may_be_bare = false;
    if (found != VERDICT_CALLS) {
        if (state->look_size > TW_HOLD_BLOCK) {
            diagnose(state, TW_DIAGNOSTIC_REPAIR_GIVEN_UP, at);
        }
        return text_run(state, at);
    }
    end_segment(state, true);
    diagnose(state, TW_DIAGNOSTIC_MISSING_CALL_OPEN, state->window->at);
    start_block(state);
    state->bare = true;
    return TW_STEP_AGAIN;
}

/* ---- text and reasoning ------------------------------------------------- */

static tw_step text_tag(hermes *state, const uint8_t *at)
{
    size_t size;
    const tw_hermes_tag tag = tw_hermes_tag_at(state->window, at, &size);
    switch (tag) {
    case TW_HERMES_MORE: return TW_STEP_MORE;
    case TW_HERMES_CALL: return begin_block(state, at, size);
    case TW_HERMES_STOP: enter_end(state, size); return TW_STEP_AGAIN;
    case TW_HERMES_CALL_END:
        if (!state->segment.begun) {
            state->may_be_bare = false;
            tw_segment_hold_marker(&state->segment, size);
            return TW_STEP_AGAIN;
        }
        break;
    case TW_HERMES_THINK:
        if (!state->segment.begun) {
            end_segment(state, false);
            framing(state, size);
            state->may_be_bare = false;
            enter_reasoning(state, false);
            return TW_STEP_AGAIN;
        }
        break;
    default: break;
    }
    return text_run(state, at);
}

static tw_step reasoning_tag(hermes *state, const uint8_t *at)
{
    size_t size;
    const tw_hermes_tag tag = tw_hermes_tag_at(state->window, at, &size);
    switch (tag) {
    case TW_HERMES_MORE: return TW_STEP_MORE;
    case TW_HERMES_THINK_END:
        end_segment(state, true);
        framing(state, size);
        enter_text(state, 2);
        return TW_STEP_AGAIN;
    case TW_HERMES_STOP: enter_end(state, size); return TW_STEP_AGAIN;
    case TW_HERMES_CALL:
        if (state->options.calls_in_reasoning) {
            return reasoning_call(state, at);
        }
        break;
    case TW_HERMES_THINK:
        if (state->may_think && !state->segment.begun) {
            end_segment(state, true);
            framing(state, size);
            tw_segment_start(&state->segment, TW_EVENT_REASONING);
            return TW_STEP_AGAIN;
        }
        break;
    default: break;
    }
    return text_run(state, at);
}

static tw_step read_text(hermes *state)
{
    const tw_window *window = state->window;
    tw_segment_look(&state->segment, state->window, state->sink);
    const uint8_t *at = window->at + state->segment.held;
    if (at == window->limit) {
        if (!window->eof) {
            return TW_STEP_MORE;
        }
        end_segment(state, false);
        return TW_STEP_DONE;
    }
    const bool plain = tw_window_offset(window, at) < state->plain_until;
    if (*at == '<' && !plain) {
        return state->mode == TEXT ? text_tag(state, at)
                                   : reasoning_tag(state, at);
    }
    return *at == '{' && state->may_be_bare && !state->options.strict
               ? bare_call(state, at)
               : text_run(state, at);
}

/* ---- edges -------------------------------------------------------------- */

static tw_step step(void *data)
{
    hermes *state = data;
    switch (state->mode) {
    case TEXT:
    case REASONING: return read_text(state);
    case BETWEEN: return read_between(state);
    case OBJECT:
    case TAGS: return read_call(state);
    case SKIP: return read_skip(state);
    default:
        return tw_drop_after_end(state->window, state->sink,
                                 &state->dropped);
    }
}

static void reset(void *data, const tw_decode_options *options)
{
    hermes *state = data;
    state->options = *options;
    state->plain_until = 0;
    state->looking = false;
    state->may_be_bare = !options->start_reasoning;
    if (options->start_reasoning) {
        enter_reasoning(state, true);
    } else {
        enter_text(state, 0);
    }
}

static void destroy(void *data)
{
    hermes *state = data;
    if (state == NULL) {
        return;
    }
    const tw_memory memory = state->memory;
    if (state->child != NULL) {
        destroy(state->child);
        tw_sink_free(&state->child_sink);
        tw_window_free(&state->child_window);
    }
    tw_hermes_call_free(&state->call);
    tw_memory_free(&memory, state, sizeof *state);
}

static void *create(const tw_memory *memory, const tw_format *format,
                    tw_window *window, tw_sink *sink)
{
    hermes *state = tw_memory_new(memory, sizeof *state);
    if (state != NULL) {
        state->memory = *memory;
        state->format = format;
        state->window = window;
        state->sink = sink;
        state->segment.stray = TW_DIAGNOSTIC_ORPHAN_CLOSE_TAG;
        tw_hermes_call_init(&state->call, &state->memory, window, sink);
    }
    return state;
}

const tw_family tw_hermes_family = {create, destroy, reset, step, false};

#define MARKER(text, role, literal, stop, decoded)                             \
    {TW_MARKER_TEXT(text), role, 1, literal, stop, decoded}

const tw_marker tw_hermes_markers[] = {
    MARKER("<tool_call>", TW_MARKER_CALL_OPEN, 1, 0, 1),
    MARKER("</tool_call>", TW_MARKER_CALL_CLOSE, 1, 0, 1),
    MARKER("<think>", TW_MARKER_REASONING_OPEN, 1, 0, 1),
    MARKER("</think>", TW_MARKER_REASONING_CLOSE, 1, 0, 1),
    MARKER("<|im_end|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|endoftext|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|eot_id|>", TW_MARKER_END, 0, 1, 1),
    MARKER("<|im_start|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|begin_of_text|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|start_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<|end_header_id|>", TW_MARKER_TURN, 0, 0, 0),
    MARKER("<tool_response>", TW_MARKER_RESULT, 1, 0, 0),
    MARKER("</tool_response>", TW_MARKER_RESULT, 1, 0, 0),
};
const size_t tw_hermes_marker_count =
    sizeof tw_hermes_markers / sizeof tw_hermes_markers[0];
