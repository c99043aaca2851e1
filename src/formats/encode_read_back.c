/* SPDX-License-Identifier: MIT
 *
 * What of declared tools was read back as another.
 */
#include <string.h>

#include "formats/encode.h"

/* ---- what differs ------------------------------------------------------- */

static bool has_same_key(const tw_value *left, const tw_value *right)
{
    return left->key_size == right->key_size &&
           (left->key_size == 0 ||
            memcmp(left->key, right->key, left->key_size) == 0);
}

/* Objects of many members, which are no schemas, are read in their order:
 * looking for each of them would take too long. */
static bool is_large(const tw_value *object)
{
    enum { FEW = 16 };
    return object->last != NULL && object->last->index >= FEW;
}

static bool has_same_keys(const tw_value *left, const tw_value *right)
{
    left = left->first;
    right = right->first;
    while (left != NULL && right != NULL && has_same_key(left, right)) {
        left = left->next;
        right = right->next;
    }
    return left == NULL && right == NULL;
}

/* Has |back| members of its own, or one twice? */
static bool has_more(const tw_value *given, const tw_value *back)
{
    const tw_value *at = back->first;
    if (has_same_keys(given, back)) {
        return false;
    }
    if (given->kind == TW_VALUE_ARRAY || is_large(back)) {
        return true;
    }
    while (at != NULL &&
           tw_value_member_sized(given, at->key, at->key_size) != NULL &&
           tw_value_member_sized(back, at->key, at->key_size) == at) {
        at = at->next;
    }
    return at != NULL;
}

/* Reports |given| if it came back as another; true: its parts are still to be
 * looked at. */
static bool note_difference(tw_segments *out, const tw_value *given,
                            const tw_value *back)
{
    if (back == NULL) {
        tw_encode_loss(out, TW_LOSS_TOOL_PART, given, NULL);
        return false;
    }
    if (given->kind != back->kind || given->size != back->size ||
        (given->size > 0 &&
         memcmp(given->text, back->text, given->size) != 0)) {
        tw_encode_loss(out, TW_LOSS_TOOL_PART, given,
                       "The declaration reads back with another value.");
        return false;
    }
    if (has_more(given, back)) {
        tw_encode_loss(out, TW_LOSS_TOOL_PART, given,
                       "The declaration reads back with other parts.");
        return given->kind == TW_VALUE_OBJECT && !is_large(back);
    }
    return given->first != NULL;
}

/* What |given|, a part of what came back as |whole|, came back as; the one in
 * front of it did as |before|. */
static const tw_value *counterpart(const tw_value *given,
                                   const tw_value *whole,
                                   const tw_value *before)
{
    if (whole->kind == TW_VALUE_OBJECT && !is_large(whole)) {
        return tw_value_member_sized(whole, given->key, given->key_size);
    }
    return given->index == 0 ? whole->first
           : before != NULL  ? before->next
                             : NULL;
}

/* All below |root| that differs from |whole|, and |root| if it does. */
static void note_differences(tw_segments *out, const tw_value *root,
                             const tw_value *whole)
{
    const tw_value *at = root;
    const tw_value *back = whole;
    while (at != NULL && out->code == TW_OK) {
        if (note_difference(out, at, back)) {
            whole = back;
            at = at->first;
            back = at != NULL ? counterpart(at, whole, NULL) : NULL;
            continue;
        }
        while (at != root && at->next == NULL) {
            at = at->parent;
            back = whole;
            whole = whole->parent;
        }
        at = at != root ? at->next : NULL;
        back = at != NULL ? counterpart(at, whole, back) : NULL;
    }
}

/* ---- tools -------------------------------------------------------------- */

static void note_wrapper(tw_segments *out, const tw_value *tool)
{
    for (const tw_value *at = tool->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type") &&
            !tw_value_has_key(at, "function")) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, at, NULL);
        }
    }
}

/* A bare function is one in a wrapper. */
static void note_tool(tw_segments *out, const tw_value *tool,
                      const tw_value *back)
{
    const tw_value *function = tw_tool_function(tool);
    const tw_value *other = tw_value_member(back, "function");
    if (back == NULL) {
        tw_encode_loss(out, TW_LOSS_TOOL_DROPPED, tool,
                       "The tool does not read back.");
        return;
    }
    if (function != tool) {
        note_wrapper(out, tool);
        note_differences(out, function, other);
        return;
    }
    if (has_more(function, other)) {
        tw_encode_loss(out, TW_LOSS_TOOL_PART, function,
                       "The declaration reads back with other parts.");
    }
    for (const tw_value *at = tool->first; at != NULL; at = at->next) {
        if (!tw_value_has_key(at, "type")) {
            note_differences(
                out, at, tw_value_member_sized(other, at->key, at->key_size));
        }
    }
}

/* Takes back the losses that were reported from |place| on. */
static void drop_losses(tw_segments *out, tw_place place)
{
    tw_losses *losses = &out->losses;
    const size_t count = tw_losses_count(losses);
    size_t kept = place.reports / sizeof(tw_lost);
    for (size_t i = kept; i < count; i++) {
        const tw_lost *lost = tw_losses_at(losses, i);
        if (tw_loss_get(lost->code)->kind != TW_REPORT_LOSS) {
            *tw_losses_at(losses, kept++) = *lost;
        }
    }
    losses->list.size = kept * sizeof(tw_lost);
}

static void no_memory(tw_segments *out)
{
    tw_segments_refuse(out, TW_ERROR_MEMORY, NULL, 0, "no memory");
}

/* |elements|: of the array that came back. */
static int read_array(tw_tree *tree, const tw_buffer *elements)
{
    int result;
    tw_tree_begin(tree, false);
    if ((result = tw_tree_feed(tree, "[", 1)) != TW_OK ||
        (elements->size > 0 &&
         (result = tw_tree_feed(tree, (const char *)elements->data,
                                elements->size)) != TW_OK) ||
        (result = tw_tree_feed(tree, "]", 1)) != TW_OK) {
        return result;
    }
    return tw_tree_end(tree);
}

static void note_all(tw_segments *out, const tw_value *tools,
                     const tw_buffer *elements)
{
    tw_tree tree;
    tw_tree_init(&tree, out->memory);
    const int result = read_array(&tree, elements);
    if (result == TW_ERROR_MEMORY) {
        no_memory(out);
    } else if (result != TW_OK) {
        tw_encode_loss(out, TW_LOSS_TOOL_PART, tools,
                       "The declarations of tools do not read back.");
    } else {
        const tw_value *back = tree.root->first;
        for (const tw_value *at = tools->first; at != NULL; at = at->next) {
            note_tool(out, at, back);
            back = back != NULL ? back->next : NULL;
        }
        if (back != NULL) {
            tw_encode_loss(out, TW_LOSS_TOOL_PART, tools,
                           "More tools read back than were declared.");
        }
    }
    tw_tree_free(&tree);
}

void tw_encode_report_read_back(tw_segments *out, const tw_value *tools,
                                tw_place place,
                                const tw_transcript_reader *reader)
{
    if (reader->failed || reader->tools.failed) {
        no_memory(out);
    } else {
        drop_losses(out, place);
        note_all(out, tools, &reader->tools.out);
    }
}
