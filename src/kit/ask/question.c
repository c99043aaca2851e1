/* SPDX-License-Identifier: MIT
 *
 * The members that a case and a question share are written once.
 */
#include "kit/ask/question.h"

#include <string.h>

#include "kit/tools.h"

static void jot_base64(tw_json_out *json_out, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                 "qrstuvwxyz0123456789+/";
    tw_json_put(json_out, "\"");
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)data[i] << 16 |
                              (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                              (left > 2 ? data[i + 2] : 0u);
        const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63],
                             left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        tw_json_put_text(json_out, four, sizeof four);
    }
    tw_json_put(json_out, "\"");
}

static void jot_piece(tw_json_out *json_out, const kit_wire *wire, size_t from,
                      size_t to, bool first)
{
    tw_json_put(json_out, first ? "" : ",");
    /* A case that was made small may have no bytes. */
    jot_base64(json_out, to > from ? wire->bytes.data + from : NULL,
               to - from);
}

static void jot_chunks(tw_json_out *json_out, const kit_wire *wire,
                       const size_t *cuts, size_t cut_count)
{
    size_t from = 0;
    tw_json_put(json_out, ",\"chunks\":[");
    for (size_t i = 0; i <= cut_count; i++) {
        const size_t to = i < cut_count ? cuts[i] : wire->bytes.size;
        jot_piece(json_out, wire, from, to, i == 0);
        from = to;
    }
    tw_json_put(json_out, "]");
}

/* Cut at the ends of tokens. */
static void jot_token_chunks(tw_json_out *json_out, const kit_wire *wire)
{
    tw_json_put(json_out, ",\"chunks\":[");
    for (size_t at = 0; at < wire->bytes.size;) {
        const size_t end = kit_wire_token_end(wire, at);
        jot_piece(json_out, wire, at, end, at == 0);
        at = end;
    }
    tw_json_put(json_out, "]");
}

/* What a server knows beside the text. */
static void jot_facts(tw_json_out *json_out, tw_tree *scratch,
                      const kit_case *one, const kit_turn *turn)
{
    const kit_wire *wire = &turn->wire;
    bool inner;
    const size_t stop = kit_wire_stop(wire, one->format, &inner);
    bool first = true;
    tw_json_put(json_out, turn->inside ? ",\"start\":\"reasoning\"" : "");
    tw_json_put(json_out, ",\"tools\":");
    kit_jot_turn_tools(json_out, scratch, turn);
    tw_json_put(json_out,
                turn->cut ? ",\"finish\":\"length\"" : ",\"finish\":\"stop\"");
    if (stop < wire->bytes.size) {
        tw_json_put(json_out, ",\"stop\":");
        tw_json_put_number(json_out, stop);
    }
    tw_json_put(json_out, ",\"special\":[");
    for (size_t at = 0; at < wire->bytes.size;) {
        const size_t token = kit_wire_token(wire, at);
        if (token > 0) {
            tw_json_put(json_out, first ? "[" : ",[");
            tw_json_put_number(json_out, at);
            tw_json_put(json_out, ",");
            tw_json_put_number(json_out, at + token);
            tw_json_put(json_out, "]");
            first = false;
        }
        at += token > 0 ? token : 1;
    }
    tw_json_put(json_out, "]");
}

/* The other output that the parser reads, if there is one. */
static void jot_other(tw_json_out *json_out, tw_tree *scratch,
                      const kit_case *one)
{
    if (one->kind != KIT_REUSE && one->kind != KIT_INTERLEAVED) {
        return;
    }
    tw_json_put(json_out,
                one->kind == KIT_REUSE ? ",\"before\":{" : ",\"beside\":{");
    tw_json_put(json_out, "\"format\":");
    tw_json_put_string(json_out, tw_format_name(one->format),
                       strlen(tw_format_name(one->format)));
    jot_facts(json_out, scratch, one, &one->other);
    jot_token_chunks(json_out, &one->other.wire);
    tw_json_put(json_out, "}");
}

static void jot_head(tw_json_out *json_out, const kit_case *one,
                     const char *id)
{
    const char *format = tw_format_name(one->format);
    tw_json_put(json_out, "{\"id\":");
    tw_json_put_string(json_out, id, strlen(id));
    tw_json_put(json_out, ",\"format\":");
    tw_json_put_string(json_out, format, strlen(format));
}

void kit_jot_question(tw_json_out *json_out, tw_tree *scratch,
                      const kit_case *one, const char *id, const size_t *cuts,
                      size_t cut_count)
{
    jot_head(json_out, one, id);
    jot_facts(json_out, scratch, one, &one->its);
    jot_other(json_out, scratch, one);
    jot_chunks(json_out, &one->its.wire, cuts, cut_count);
    tw_json_put(json_out, "}\n");
}

/* Of any bytes. */
#define MUST_NOT "\"hang\",\"crash\",\"split_variance\",\"invalid_json\""

static void jot_rules(tw_json_out *json_out, const kit_case *one)
{
    const tw_buffer *message = &one->its.message;
    if (message->size == 0) {
        tw_json_put(json_out,
                    "null,\"accept\":null,\"must_not\":[" MUST_NOT "]}");
        return;
    }
    tw_json_put_text(json_out, (const char *)message->data, message->size);
    if (one->accept == KIT_PREFIX) {
        tw_json_put(json_out, ",\"due\":");
        tw_json_put_number(json_out, one->its.due.calls);
        tw_json_put(json_out, ",\"spoken\":");
        tw_json_put_text(json_out, (const char *)one->its.due.spoken.data,
                         one->its.due.spoken.size);
    }
    tw_json_put(json_out, ",\"accept\":\"");
    tw_json_put(json_out, kit_accept_name(one->accept));
    tw_json_put(json_out, "\",\"must_not\":[" MUST_NOT ",\"forged_call\"");
    tw_json_put(json_out, one->accept != KIT_NO_FORGERY
                              ? ",\"lost_bytes\",\"wrong_arguments\""
                              : "");
    tw_json_put(json_out, one->kind == KIT_LONG ? ",\"slow\"" : "");
    tw_json_put(json_out, one->accept == KIT_EXACT ? ",\"refused\"]}" : "]}");
}

void kit_jot_case(tw_json_out *json_out, tw_tree *scratch, const kit_case *one)
{
    const kit_wire *wire = &one->its.wire;
    jot_head(json_out, one, one->id);
    tw_json_put(json_out, ",\"class\":\"");
    tw_json_put(json_out, kit_class_name(one->kind));
    tw_json_put(json_out, "\"");
    if (one->slip != NULL) {
        tw_json_put(json_out, ",\"slip\":\"");
        tw_json_put(json_out, one->slip);
        tw_json_put(json_out, "\"");
    }
    jot_facts(json_out, scratch, one, &one->its);
    jot_other(json_out, scratch, one);
    tw_json_put(json_out, ",\"wire\":");
    tw_json_put_string(json_out, (const char *)wire->bytes.data,
                       wire->bytes.size);
    tw_json_put(json_out, ",\"wire_b64\":");
    jot_base64(json_out, wire->bytes.data, wire->bytes.size);
    tw_json_put(json_out, ",\"cuts\":[");
    for (size_t i = 0; i < one->cut_count; i++) {
        tw_json_put(json_out, i > 0 ? "," : "");
        tw_json_put_number(json_out, one->cuts[i]);
    }
    tw_json_put(json_out, "],\"message\":");
    jot_rules(json_out, one);
}
