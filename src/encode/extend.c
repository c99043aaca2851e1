/* SPDX-License-Identifier: MIT
 *
 * What stands behind a turn that a model wrote, up to where it goes on.
 *
 * Three prompts are written: |prompt| in front of the turn, |turn|, which ends
 * with it, and the one that is wanted, with the new messages.  The wanted one
 * must begin as the others do, or the template is not stable here.  Where the
 * turn ends in it is told by its data and its stop, and so nothing depends on
 * how the model spelled its completion.
 */
#include "encode/extend_place.h"
#include "encode/extend_record.h"

#include "core/skip.h"

/* ---- prompts ------------------------------------------------------------ */

static int keep(tw_encoder *encoder, tw_buffer *text)
{
    const tw_buffer *written = &encoder->segments.text;
    text->size = 0;
    return tw_buffer_append(text, &encoder->memory, written->data,
                            written->size)
               ? TW_OK
               : tw_encoder_fail(encoder, TW_ERROR_MEMORY, NULL, 0,
                                 "no memory");
}

/* Where the last data of the prompt in the segments end. */
static size_t end_of_data(const tw_segments *segments)
{
    const size_t count = segments->runs.size / sizeof(tw_run);
    return count > 0
               ? ((const tw_run *)(const void *)segments->runs.data)[count - 1]
                     .end
               : 0;
}

/* ---- what is left out --------------------------------------------------- */

static bool is_of(const tw_value *value, const tw_value *message)
{
    while (value != NULL && value != message) {
        value = value->parent;
    }
    return value != NULL;
}

/* Is |text| text that the completion holds? */
static bool was_sampled(const tw_extending *work, const tw_value *text)
{
    size_t begin = 0;
    size_t end = text->size;
    while (begin < end && tw_is_ws(text->text[begin])) {
        begin++;
    }
    while (end > begin && tw_is_ws(text->text[end - 1])) {
        end--;
    }
    const tw_string all = {.data = work->completion,
                           .size = work->completion_size};
    const tw_string part = {.data = text->text + begin, .size = end - begin};
    return part.size > 0 && tw_string_find(&all, 0, &part) != SIZE_MAX;
}

/* Does the template leave out a text of the turn that the model wrote, even
 * where the turn is the last one? */
static bool leaves_out(const tw_extending *work)
{
    const tw_losses *losses = &work->encoder->segments.losses;
    const tw_value *message = tw_extend_message(work, work->own);
    for (size_t i = 0; i < tw_losses_count(losses); i++) {
        const tw_lost *lost = tw_losses_at(losses, i);
        if ((lost->code == TW_LOSS_OLD_REASONING ||
             lost->code == TW_LOSS_REASONING_DROPPED ||
             lost->code == TW_LOSS_CONTENT_DROPPED) &&
            tw_value_is_a(lost->where, TW_VALUE_STRING) &&
            is_of(lost->where, message) && was_sampled(work, lost->where)) {
            return true;
        }
    }
    return false;
}

/* ---- all ---------------------------------------------------------------- */

/* Writes the prompt in front of the turn, and looks whether what was sent ends
 * like it. */
static int put_prompt(const tw_extending *work)
{
    tw_encoder *encoder = work->encoder;
    int result = tw_extend_put_first(work, work->own - 1, true);
    if (result != TW_OK) {
        return result;
    }
    const tw_buffer *text = &encoder->segments.text;
    const size_t from = end_of_data(&encoder->segments);
    if (work->given != NULL &&
        !tw_extend_ends(work->given->text, work->given->size,
                        (const char *)text->data + from, text->size - from)) {
        return tw_extend_unstable(
            work, work->given,
            "the prompt does not end as the template ends it "
            "here");
    }
    return keep(encoder, &encoder->prompt);
}

/* Where the last data of the turn end, an id among them. */
static size_t end_of_own_data(const tw_extending *work)
{
    const tw_buffer *list = &work->encoder->segments.runs;
    const tw_run *runs = (const tw_run *)(const void *)list->data;
    const tw_value *message = tw_extend_message(work, work->own);
    size_t i = list->size / sizeof *runs;
    while (i > 0 && !is_of(runs[i - 1].of, message)) {
        i--;
    }
    return i > 0 ? runs[i - 1].end : 0;
}

/* Writes the prompt that ends with the turn, and finds its data. */
static int put_turn(tw_extending *work)
{
    tw_encoder *encoder = work->encoder;
    int result = tw_extend_put_first(work, work->own, false);
    if (result == TW_OK) {
        result = keep(encoder, &encoder->turn);
    }
    if (result != TW_OK) {
        return result;
    }
    work->apart =
        !tw_extend_begins(encoder->turn.data, encoder->turn.size,
                          encoder->prompt.data, encoder->prompt.size);
    if (leaves_out(work)) {
        return tw_extend_unstable(
            work, tw_extend_message(work, work->own),
            "the template leaves out what the model wrote");
    }
    work->first = encoder->conversation;
    work->first.messages.size = work->own * sizeof(tw_message);
    work->prompt = (tw_prompt){.conversation = &work->first,
                               .segments = &encoder->segments,
                               .text = &encoder->turn,
                               .runs = &encoder->segments.runs,
                               .turns = encoder->template_ != NULL
                                            ? &encoder->rendering.machine.turns
                                            : NULL};
    result = tw_turn_find_data(&encoder->spans, &work->prompt,
                               work->apart ? 0 : encoder->prompt.size,
                               SIZE_MAX, &work->turn);
    const size_t last = end_of_own_data(work);
    work->turn.data = last > work->turn.data ? last : work->turn.data;
    return result == TW_OK
               ? TW_OK
               : tw_encoder_fail(encoder, result, NULL, 0, "no memory");
}

/* ---- a turn that changes its form --------------------------------------- */

/* Where the first data stand behind the turn's own in the wanted text. */
static size_t begin_of_others(const tw_extending *work)
{
    const tw_encoder *encoder = work->encoder;
    const tw_buffer *list = &encoder->segments.runs;
    const tw_run *runs = (const tw_run *)(const void *)list->data;
    const tw_value *message = tw_extend_message(work, work->own);
    const size_t count = list->size / sizeof *runs;
    size_t i = 0;
    while (i < count && runs[i].begin < encoder->prompt.size) {
        i++;
    }
    while (i < count && is_of(runs[i].of, message)) {
        i++;
    }
    return i < count ? runs[i].begin : SIZE_MAX;
}

/* Are there data of the turn, such as an id, behind |place| and in front of
 * those of others?  A name may stand there again, with the call's result. */
static bool has_more(const tw_extending *work, size_t place)
{
    const tw_buffer *list = &work->encoder->segments.runs;
    const tw_run *runs = (const tw_run *)(const void *)list->data;
    const tw_value *message = tw_extend_message(work, work->own);
    const size_t limit = begin_of_others(work);
    bool more = false;
    for (size_t i = 0; i < list->size / sizeof *runs; i++) {
        more |= runs[i].begin >= place && runs[i].begin < limit &&
                is_of(runs[i].of, message) &&
                !tw_value_has_key(runs[i].of, "name");
    }
    return more;
}

/* How much of the completion |text| begins with, blanks aside. */
static size_t alike(const tw_extending *work, const char *text, size_t size)
{
    size_t at = 0;
    size_t i = 0;
    while (at < size && i < work->completion_size) {
        if (tw_is_ws(text[at])) {
            at++;
        } else if (tw_is_ws(work->completion[i])) {
            i++;
        } else if (text[at] == work->completion[i]) {
            at++;
            i++;
        } else {
            break;
        }
    }
    return i;
}

/* Is the completion spelled as the turn is while it is the last one, rather
 * than as in the wanted text? */
static bool is_as_last(const tw_extending *work, const tw_buffer *wanted)
{
    const tw_buffer *turn = &work->encoder->turn;
    const size_t from = work->encoder->prompt.size;
    return !work->apart &&
           alike(work, (const char *)turn->data + from, turn->size - from) >
               alike(work, (const char *)wanted->data + from,
                     wanted->size - from);
}

/* The wanted text has all of the turn, in another form than where it is the
 * last one: the turn's prompt becomes one of that form, which ends as before.
 */
static int take_form(tw_extending *work, const tw_buffer *wanted)
{
    tw_encoder *encoder = work->encoder;
    tw_buffer *turn = &encoder->turn;
    tw_buffer made = {0};
    tw_prompt whole = work->prompt;
    tw_last_turn form;
    whole.text = wanted;
    whole.turns = NULL;
    int result =
        tw_turn_find_data(&encoder->spans, &whole, encoder->prompt.size,
                          begin_of_others(work), &form);
    if (result == TW_OK && has_more(work, form.data)) {
        return tw_extend_break_at(work, work->turn.data);
    }
    if (result == TW_OK &&
        (!tw_buffer_append(&made, &encoder->memory, wanted->data, form.data) ||
         !tw_buffer_append(&made, &encoder->memory,
                           turn->data + work->turn.data,
                           turn->size - work->turn.data))) {
        result = TW_ERROR_MEMORY;
    }
    if (result != TW_OK) {
        tw_buffer_free(&made, &encoder->memory);
        return tw_encoder_fail(encoder, result, NULL, 0, "no memory");
    }
    form.end = form.data + (work->turn.end - work->turn.data);
    tw_buffer_free(turn, &encoder->memory);
    *turn = made;
    work->turn = form;
    return TW_OK;
}

/* The wanted text does not go on as the turn's prompt does. */
static int change_form(tw_extending *work, const tw_buffer *wanted)
{
    const tw_buffer *prompt = &work->encoder->prompt;
    if (!tw_extend_begins(wanted->data, wanted->size, prompt->data,
                          prompt->size)) {
        return work->apart
                   ? tw_extend_unstable(
                         work, tw_extend_message(work, work->own),
                         "the template writes the turn otherwise than behind "
                         "its generation prompt")
                   : tw_extend_break_at(work, prompt->size);
    }
    return leaves_out(work) || is_as_last(work, wanted)
               ? tw_extend_break_at(work, work->turn.data)
               : take_form(work, wanted);
}

static int put_wanted(tw_extending *work)
{
    tw_encoder *encoder = work->encoder;
    tw_buffer *wanted = &work->wanted;
    int result = put_prompt(work);
    if (result == TW_OK) {
        result = put_turn(work);
    }
    if (result == TW_OK) {
        result = tw_extend_put_first(work, work->count, true);
    }
    if (result == TW_OK) {
        result = keep(encoder, wanted);
    }
    if (result != TW_OK) {
        return result;
    }
    if (work->apart ||
        tw_buffer_shared(wanted, &encoder->turn) < work->turn.data) {
        result = change_form(work, wanted);
    }
    if (result != TW_OK) {
        return result;
    }
    const size_t same = tw_buffer_shared(wanted, &encoder->turn);
    work->at = (const char *)wanted->data;
    work->size = wanted->size;
    const size_t prompt = encoder->prompt.size;
    if (has_more(work, work->turn.data) &&
        !tw_extend_begins(work->at + prompt, work->size - prompt,
                          work->completion, work->completion_size)) {
        return tw_extend_break_at(work, work->turn.end);
    }
    result = tw_extend_find_place(work, same);
    return result == TW_OK ? tw_encoder_end(encoder) : result;
}

/* Only what is appended is given as segments. */
static tw_string give(const tw_extending *work)
{
    tw_segments *segments = &work->encoder->segments;
    tw_breaks breaks = {&segments->text, work->at, work->size, 0, 0};
    segments->given = tw_breaks_place(&breaks, work->from);
    return (tw_string){.data =
                           (const char *)segments->text.data + segments->given,
                       .size = segments->text.size - segments->given};
}

/* ---- turn by turn ------------------------------------------------------- */

/* Behind the messages |before|. */
static int extend(tw_extending *work, const tw_buffer *before,
                  tw_string *append)
{
    int result = tw_extend_take(work, before);
    if (result == TW_OK) {
        result = put_wanted(work);
    }
    *append = result == TW_OK ? give(work) : (tw_string){.data = ""};
    return result;
}

/* What was made behind the messages that were kept is made behind all of them:
 * where that makes a difference, the template looks at others, too. */
static int try_all(tw_extending *work, int result, tw_string *append)
{
    tw_episode *episode = &work->encoder->episode;
    tw_buffer *little = &work->little;
    if (result == TW_ERROR_MEMORY ||
        !tw_buffer_append(little, &work->encoder->memory, append->data,
                          append->size)) {
        return tw_encoder_fail(work->encoder, TW_ERROR_MEMORY, NULL, 0,
                               "no memory");
    }
    const int whole = extend(work, &episode->all, append);
    episode->whole = whole != TW_ERROR_MEMORY &&
                     (whole != result || append->size != little->size ||
                      !tw_extend_begins(append->data, append->size,
                                        little->data, little->size));
    return whole;
}

static int go_on(tw_extending *work, tw_string *append)
{
    tw_encoder *encoder = work->encoder;
    tw_episode *episode = &encoder->episode;
    int result = extend(work, tw_episode_before(episode), append);
    if (tw_episode_is_tried(episode, &encoder->conversation, work->own)) {
        result = try_all(work, result, append);
    }
    if (result != TW_OK) {
        return result;
    }
    encoder->has_spans = true; /* and there are none */
    encoder->spans.list.size = 0;
    return tw_episode_take(episode, &encoder->conversation, &work->added)
               ? TW_OK
               : tw_encoder_fail(encoder, TW_ERROR_MEMORY, NULL, 0,
                                 "no memory");
}

static void drop(tw_extending *work)
{
    tw_buffer *const buffers[] = {&work->added, &work->taken, &work->wanted,
                                  &work->little};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tw_buffer_free(buffers[i], &work->encoder->memory);
    }
}

int tw_encoder_extend(tw_encoder *encoder, const char *json, size_t size,
                      const char **append, size_t *append_size)
{
    if (encoder == NULL || (json == NULL && size > 0) || append == NULL ||
        append_size == NULL) {
        return tw_encoder_fail(encoder, TW_ERROR_ARGUMENT, NULL, 0,
                               "the record or the place for the result is "
                               "missing");
    }
    tw_encoder_reset(encoder);
    if (encoder->template_ == NULL) {
        return tw_encoder_fail(encoder, TW_ERROR_CANNOT_CARRY, NULL, 0,
                               "the format has no prompts; its template has "
                               "(--template)");
    }
    tw_extending work = {.encoder = encoder};
    tw_string made;
    int result = tw_extend_read(&work, json, size);
    if (result == TW_OK) {
        result = go_on(&work, &made);
    }
    if (result == TW_OK) {
        *append = made.data;
        *append_size = made.size;
    } else if (encoder->episode.turns == 0) {
        encoder->episode.request = NULL;
    }
    drop(&work);
    return result;
}
