/* SPDX-License-Identifier: MIT
 *
 * What of an assistant's turn is sampled: from behind the generation prompt
 * that the turn would have had up to its stop.
 */
#include "core/bytes.h"
#include "core/skip.h"
#include "template/spans_work.h"

/* ---- the generation prompt ---------------------------------------------- */

/* Renders the first |count| messages.  False: the template refuses. */
static bool try_first(tw_marking *work, size_t count, bool generation_prompt)
{
    tw_rendering *trial = &work->spans->trial;
    tw_conversation first = *work->prompt->conversation;
    first.messages.size = count * sizeof(tw_message);
    first.generation_prompt = generation_prompt;
    tw_rendering_begin(trial);
    trial->machine.now = work->prompt->now;
    trial->machine.format = work->prompt->format;
    trial->machine.numbers = work->prompt->numbers;
    tw_template_give(work->prompt->template_, trial, &first);
    const int code = tw_rendering_run(trial);
    trial->step_limit -= trial->machine.steps < trial->step_limit
                             ? trial->machine.steps
                             : trial->step_limit;
    if (code == TW_ERROR_MEMORY || code == TW_ERROR_LIMIT) {
        work->code = code;
    }
    return code == TW_OK;
}

size_t tw_spans_end_of_turns(const tw_buffer *turns)
{
    const tw_turn_mark *all = (const tw_turn_mark *)(const void *)turns->data;
    return turns->size > 0 ? all[turns->size / sizeof *all - 1].at : 0;
}

/* Where the turns end, or where all ended. */
static size_t end_of_turns(const tw_rendering *rendering)
{
    const tw_buffer *turns = &rendering->machine.turns;
    return turns->size > 0 ? tw_spans_end_of_turns(turns)
                           : rendering->text.text.size;
}

/* The generation prompt behind the first |count| messages is that of the
 * buffer from |prompt_from| on; false: nobody knows.  It stands behind the
 * loop or, where the template writes it within, where the prompt differs from
 * that without it. */
static bool make_prompt(tw_marking *work, size_t count)
{
    tw_buffer *kept = &work->spans->prompt;
    const tw_buffer *text = &work->spans->trial.text.text;
    if (!try_first(work, count, true)) {
        return false;
    }
    work->prompt_from = end_of_turns(&work->spans->trial);
    kept->size = 0;
    tw_spans_add(work, kept, text->data, text->size);
    if (work->prompt_from == text->size) {
        if (!try_first(work, count, false)) {
            return false;
        }
        work->prompt_from = tw_buffer_shared(kept, text);
    }
    return work->code == TW_OK;
}

static tw_role role_of(const tw_marking *work, size_t message)
{
    return tw_message_at(work->prompt->conversation, message)->role;
}

/* The number, from 1, of the last message among the first |count| that is
 * neither an assistant's nor a tool's. */
static size_t asked_in(tw_marking *work, size_t count)
{
    if (work->seen > count) {
        work->seen = work->asked = 0;
    }
    for (; work->seen < count; work->seen++) {
        const tw_role role = role_of(work, work->seen);
        if (role != TW_ROLE_ASSISTANT && role != TW_ROLE_TOOL) {
            work->asked = work->seen + 1;
        }
    }
    return work->asked;
}

/* How many equal prompts in a row make another one needless, of a turn that
 * begins like theirs. */
enum { ALIKE = 32 };

/* Is the region's prompt, which was the same for so many, the same once more?
 */
static bool is_usual(const tw_marking *work)
{
    const tw_buffer *usual = &work->spans->usual;
    return work->alike >= ALIKE && usual->size > 0 &&
           work->end - work->begin > usual->size &&
           memcmp(work->text + work->begin, usual->data, usual->size) == 0;
}

static void count_alike(tw_marking *work, const char *prompt, size_t size)
{
    const tw_buffer *usual = &work->spans->usual;
    const bool same = size > 0 && size == usual->size &&
                      memcmp(prompt, usual->data, size) == 0;
    work->alike = same ? work->alike + 1 : 0;
}

/* The generation prompt, made once for all results that follow one question:
 * agents take hundreds of turns. */
static bool find_prompt(tw_marking *work, size_t count, const char **data,
                        size_t *size)
{
    const size_t asked = asked_in(work, count);
    const bool result = count > 0 && role_of(work, count - 1) == TW_ROLE_TOOL;
    if (!result || asked == 0 || work->known_for != asked) {
        work->known_for = 0;
        if (!make_prompt(work, count)) {
            return false;
        }
        work->known_for = result ? asked : 0;
    }
    const tw_buffer *kept = &work->spans->prompt;
    const size_t from = work->prompt_from;
    *data = kept->size > from ? (const char *)kept->data + from : "";
    *size = kept->size > from ? kept->size - from : 0;
    return true;
}

/* |at|, but not within a word: words end with white space and brackets. */
static size_t between_words(const tw_marking *work, size_t from, size_t at)
{
    while (at > from && !tw_is_ws(work->text[at - 1]) &&
           work->text[at - 1] != '>' && work->text[at - 1] != ']') {
        at--;
    }
    return at;
}

/* Where the region leaves the generation prompt; |data| is where its own data
 * begin. */
static size_t leaves(const tw_marking *work, const char *prompt, size_t size,
                     size_t data)
{
    const size_t same = tw_bytes_shared(work->text + work->begin,
                                        work->end - work->begin, prompt, size);
    const size_t at = work->begin + same;
    return same == size
               ? at
               : between_words(work, work->begin, at < data ? at : data);
}

/* From where on the region was sampled.  Where the turn would have had no
 * prompt, or begins otherwise, it may have the head that others have. */
size_t tw_spans_behind_prompt(tw_marking *work, size_t data)
{
    tw_buffer *usual = &work->spans->usual;
    const char *prompt = "";
    size_t size = 0;
    if (is_usual(work)) {
        return work->begin + usual->size;
    }
    const bool known = find_prompt(work, (size_t)work->owner, &prompt, &size);
    const bool none = known && size == 0;
    if (size > 0 && usual->size == 0) {
        tw_spans_add(work, usual, prompt, size);
    }
    count_alike(work, prompt, size);
    size_t at = leaves(work, prompt, size, data);
    if (at == work->begin && usual->size > 0) {
        at = leaves(work, (const char *)usual->data, usual->size, data);
    }
    return at > work->begin || none ? at : data;
}

/* ---- a turn ------------------------------------------------------------- */

/* The first of the atoms that is the owner's; |count|: none is. */
size_t tw_spans_first_own(const tw_marking *work, const tw_span_piece *atoms,
                          size_t count)
{
    size_t i = 0;
    while (i < count && atoms[i].message != work->owner) {
        i++;
    }
    return i;
}

static void sample(tw_marking *work, size_t from, size_t to)
{
    const tw_generated turn = {from, to};
    if (from < to) {
        tw_spans_add(work, &work->spans->sampled, &turn, sizeof turn);
    }
}

/* From |from| on up to the stop behind data of the owner that follow each
 * other; then, where data of others stand between, of those behind. */
void tw_spans_sample_turn(tw_marking *work, const tw_span_piece *atoms,
                          size_t count, size_t from)
{
    size_t i = tw_spans_first_own(work, atoms, count);
    size_t at = from;
    do {
        while (i < count && atoms[i].message == work->owner) {
            at = atoms[i].end > at ? atoms[i].end : at;
            i++;
        }
        if (i == count) {
            sample(work, from, tw_spans_last_stop(work, at, work->end).end);
            return;
        }
        tw_generated stop = {at, at};
        tw_spans_stop_in(work, at, atoms[i].begin, false, &stop);
        sample(work, from, stop.end);
        i += tw_spans_first_own(work, atoms + i, count - i);
        from = at = i < count ? atoms[i].begin : work->end;
    } while (i < count);
}
