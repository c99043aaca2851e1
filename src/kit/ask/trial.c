/* SPDX-License-Identifier: MIT
 *
 * Questions and answers: each case is put whole, cut behind tokens, cut
 * anywhere and byte by byte, and what is wrong is kept with its evidence.
 */
#include "kit/ask/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "kit/ask/question.h"

/* Byte by byte only what is no longer. */
enum { BYTEWISE = 600 };
/* What a shell ends with where it cannot run a command. */
enum { NOT_PERMITTED = 126, NOT_FOUND = 127 };
/* How much longer than usual a process may take to begin, and a question that
 * is put in haste; milliseconds. */
enum { BEGINNING = 10, HASTE = 10, HASTE_LEAST = 100 };
/* How many questions may hang twice. */
enum { ENOUGH = 5 };

void kit_trial_init(kit_trial *trial, kit_maker *maker, kit_peer *peer,
                    const tw_memory *memory)
{
    memset(trial, 0, sizeof *trial);
    trial->maker = maker;
    trial->peer = peer;
    trial->memory = trial->line.memory = memory;
    tw_tree_init(&trial->first, memory);
    tw_tree_init(&trial->other, memory);
    tw_tree_init(&trial->scratch, memory);
}

void kit_trial_free(kit_trial *trial)
{
    tw_tree_free(&trial->first);
    tw_tree_free(&trial->other);
    tw_tree_free(&trial->scratch);
    tw_buffer_free(&trial->line.out, trial->memory);
    tw_buffer_free(&trial->got, trial->memory);
    tw_buffer_free(&trial->whole, trial->memory);
    for (int i = 0; i < KIT_WAYS; i++) {
        tw_buffer_free(&trial->evidence[i].line, trial->memory);
        tw_buffer_free(&trial->evidence[i].got, trial->memory);
        tw_buffer_free(&trial->evidence[i].whole, trial->memory);
    }
}

/* ---- one question ------------------------------------------------------- */

void kit_give_up(kit_trial *trial, const char *why)
{
    trial->failed = true;
    trial->why = trial->why != NULL ? trial->why : why;
}

static kit_verdict give_up(kit_trial *trial, const char *why)
{
    kit_give_up(trial, why);
    return KIT_FINE;
}

/* No two questions have the same id. */
static const char *next_id(kit_trial *trial, const char *name)
{
    snprintf(trial->id, sizeof trial->id, "%s#%llu", name, ++trial->questions);
    return trial->id;
}

static void note_end(kit_trial *trial)
{
    const int status = trial->peer->status;
    if (WIFEXITED(status)) {
        snprintf(trial->ended, sizeof trial->ended, "exit code %d",
                 WEXITSTATUS(status));
    } else {
        snprintf(trial->ended, sizeof trial->ended, "signal %d",
                 WTERMSIG(status));
    }
}

/* A shell says so of a command. */
static bool cannot_run(int status)
{
    return WIFEXITED(status) && (WEXITSTATUS(status) == NOT_FOUND ||
                                 WEXITSTATUS(status) == NOT_PERMITTED);
}

/* Why a process does not begin. */
static kit_verdict give_up_beginning(kit_trial *trial, kit_reply reply)
{
    switch (reply) {
    case KIT_CANNOT_START: return give_up(trial, "no process can be started");
    case KIT_TIMED_OUT:
        return give_up(trial, "the command does not answer even a plain "
                              "question within ten times --patience: does it "
                              "flush its lines?");
    case KIT_DIED:
        note_end(trial);
        if (cannot_run(trial->peer->status)) {
            return give_up(trial, "the command cannot be run");
        }
        snprintf(trial->why_text, sizeof trial->why_text,
                 "the command ends (%s) before it answers anything",
                 trial->ended);
        return give_up(trial, trial->why_text);
    default: return give_up(trial, "no memory");
    }
}

/* A new process is asked something plain first, and given time: what is judged
 * later does not pay for its beginning. */
static bool greet(kit_trial *trial)
{
    static const char plain[] = "{\"role\":\"assistant\",\"content\":\"Hi.\"}";
    tw_json_out line = {.memory = trial->memory};
    char id[32];
    const char *text;
    size_t size;
    kit_case hello;
    kit_case_init(&hello);
    hello.format = trial->maker->format;
    snprintf(id, sizeof id, "hello#%llu", ++trial->questions);
    bool good = tw_buffer_append(&hello.its.message, trial->memory, plain,
                                 sizeof plain - 1);
    if (good) {
        kit_write(trial->maker, &hello);
        kit_jot_question(&line, &trial->scratch, &hello, id, NULL, 0);
    }
    good = good && !line.failed && !trial->maker->failed;
    const kit_reply reply =
        !good ? KIT_NO_MEMORY
              : kit_peer_ask(trial->peer, trial->peer->patience * BEGINNING,
                             (const char *)line.out.data, line.out.size, &text,
                             &size);
    kit_case_free(&hello, trial->memory);
    tw_buffer_free(&line.out, trial->memory);
    if (reply != KIT_ANSWERED) {
        give_up_beginning(trial, reply);
    }
    return reply == KIT_ANSWERED;
}

/* Where it is known to hang, it need not be waited for. */
static bool in_haste(const kit_trial *trial)
{
    return trial->hasty || trial->hung >= ENOUGH;
}

/* Sends what stands in |line|. */
static kit_reply send_line(kit_trial *trial, const char **text, size_t *size)
{
    const tw_buffer *line = &trial->line.out;
    const int64_t full = trial->peer->patience;
    const int64_t haste = trial->usual * HASTE + HASTE_LEAST;
    const int64_t patience = in_haste(trial) && haste < full ? haste : full;
    const kit_reply reply =
        kit_peer_ask(trial->peer, patience, (const char *)line->data,
                     line->size, text, size);
    if (reply == KIT_ANSWERED && trial->peer->took / 1000 > trial->usual) {
        trial->usual = trial->peer->took / 1000;
    }
    return reply;
}

/* What hangs is asked again: the machine may have been busy. */
static kit_reply send_question(kit_trial *trial, const char **text,
                               size_t *size)
{
    kit_reply reply = KIT_TIMED_OUT;
    for (int i = in_haste(trial) ? 1 : 0; i < 2 && reply == KIT_TIMED_OUT;
         i++) {
        if (!kit_peer_runs(trial->peer) && !greet(trial)) {
            return KIT_NO_MEMORY;
        }
        reply = send_line(trial, text, size);
    }
    return reply;
}

static kit_verdict read_answer(kit_trial *trial, const char *text, size_t size,
                               tw_tree *answer)
{
    const int read = tw_tree_read(answer, text, size, false);
    if (read == TW_ERROR_MEMORY) {
        return give_up(trial, "no memory");
    }
    if (read != TW_OK) {
        /* What else it says would be taken for the next answer. */
        kit_peer_restart(trial->peer);
        return KIT_INVALID_JSON;
    }
    const tw_value *id = tw_value_member(answer->root, "id");
    if (trial->peer->says_more ||
        (id != NULL && !tw_value_is(id, trial->id))) {
        return give_up(trial, "each question is answered by one line with "
                              "its id, and by nothing else");
    }
    return kit_is_answer(answer->root) ? KIT_FINE : KIT_PROTOCOL_ERROR;
}

/* Sends the question that |line| is. */
static kit_verdict exchange(kit_trial *trial, tw_tree *answer)
{
    const char *text;
    size_t size;
    trial->got.size = 0;
    trial->ended[0] = '\0';
    if (trial->line.failed) {
        return give_up(trial, "no memory");
    }
    const kit_reply reply = send_question(trial, &text, &size);
    if (trial->failed) {
        return KIT_FINE;
    }
    switch (reply) {
    case KIT_TIMED_OUT:
        trial->hangs++;
        trial->hung += trial->hasty ? 0 : 1;
        return KIT_HANG;
    case KIT_DIED: note_end(trial); return KIT_CRASH;
    case KIT_ANSWERED: break;
    default: return give_up(trial, "no memory");
    }
    if (!tw_buffer_append(&trial->got, trial->memory, text, size)) {
        return give_up(trial, "no memory");
    }
    return read_answer(trial, text, size, answer);
}

static kit_verdict ask(kit_trial *trial, const kit_case *one,
                       const size_t *cuts, size_t cut_count, tw_tree *answer)
{
    trial->line.out.size = 0;
    kit_jot_question(&trial->line, &trial->scratch, one,
                     next_id(trial, one->id), cuts, cut_count);
    return exchange(trial, answer);
}

/* ---- findings ----------------------------------------------------------- */

static bool keep_bytes(kit_trial *trial, tw_buffer *to, const tw_buffer *from)
{
    to->size = 0;
    return tw_buffer_append(to, trial->memory, from->data, from->size);
}

/* The findings from |before| on were made by the last question. */
static void keep(kit_trial *trial, int way, size_t before)
{
    kit_evidence *its = &trial->evidence[way];
    if (trial->findings.count == before) {
        return;
    }
    for (size_t i = before; i < trial->findings.count; i++) {
        trial->ways[i] = (uint8_t)way;
    }
    if (!keep_bytes(trial, &its->line, &trial->line.out) ||
        !keep_bytes(trial, &its->got, &trial->got) ||
        !keep_bytes(trial, &its->whole, &trial->whole)) {
        give_up(trial, "no memory");
    }
    memcpy(its->ended, trial->ended, sizeof its->ended);
}

/* A verdict that needs no judge. */
static void find_plainly(kit_trial *trial, kit_verdict verdict)
{
    kit_find(&trial->findings, verdict, "",
             verdict == KIT_CRASH          ? trial->ended
             : verdict == KIT_INVALID_JSON ? "the line"
                                           : "");
}

static void judge_whole(kit_trial *trial, const kit_case *one)
{
    kit_findings exactly = {.count = 0};
    const tw_value *answer = trial->first.root;
    const tw_buffer *message = &one->its.message;
    trial->skipped = kit_is_skip(answer);
    trial->declined = kit_is_error(answer) && one->accept != KIT_EXACT;
    if (!kit_judge(&trial->findings, one->accept, &one->its.due, message,
                   answer, trial->memory) ||
        !kit_judge(&exactly, KIT_EXACT, NULL, message, answer,
                   trial->memory)) {
        give_up(trial, "no memory");
    }
    trial->exact = exactly.count == 0 && !trial->skipped;
    kit_judge_server(&trial->findings, answer, one->its.cut);
}

/* True: what is to come can be compared with it. */
static bool ask_whole(kit_trial *trial, const kit_case *one)
{
    const kit_verdict verdict = ask(trial, one, NULL, 0, &trial->first);
    trial->findings.count = 0;
    trial->skipped = trial->declined = trial->exact = false;
    if (trial->failed || !keep_bytes(trial, &trial->whole, &trial->got)) {
        give_up(trial, "no memory");
        return false;
    }
    if (verdict == KIT_FINE) {
        judge_whole(trial, one);
    } else {
        find_plainly(trial, verdict);
    }
    keep(trial, KIT_WHOLE, 0);
    return verdict == KIT_FINE && !trial->failed && !trial->skipped;
}

/* Do tokens end at all of these? */
static bool are_token_ends(const kit_wire *wire, const size_t *cuts,
                           size_t count)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        while (end < cuts[i]) {
            end = kit_wire_token_end(wire, end);
        }
        if (end != cuts[i]) {
            return false;
        }
    }
    return true;
}

/* True: nothing new is wrong. */
static bool ask_cut(kit_trial *trial, const kit_case *one, const size_t *cuts,
                    size_t cut_count)
{
    const size_t before = trial->findings.count;
    const bool tokens = are_token_ends(&one->its.wire, cuts, cut_count);
    const kit_verdict verdict =
        ask(trial, one, cuts, cut_count, &trial->other);
    if (trial->failed) {
        return false;
    }
    if (verdict != KIT_FINE) {
        find_plainly(trial, verdict);
    } else if (tokens) {
        kit_compare(&trial->findings, trial->first.root, trial->other.root);
        kit_judge_server(&trial->findings, trial->other.root, one->its.cut);
    } else {
        /* What takes a cut that a model's tokens do not make is another
         * thing. */
        kit_findings found = {.count = 0};
        kit_compare(&found, trial->first.root, trial->other.root);
        for (size_t i = 0; i < found.count; i++) {
            kit_find(&trial->findings, found.all[i].verdict, "inside tokens",
                     found.all[i].what);
        }
    }
    keep(trial, KIT_CUT, before);
    return !trial->failed && trial->findings.count == before;
}

static bool ask_every(kit_trial *trial, const kit_case *one, bool tokens)
{
    const kit_wire *wire = &one->its.wire;
    size_t *cuts = malloc((wire->bytes.size + 1) * sizeof *cuts);
    size_t count = 0;
    if (cuts == NULL) {
        give_up(trial, "no memory");
        return false;
    }
    for (size_t at = 0; at < wire->bytes.size;) {
        at = tokens ? kit_wire_token_end(wire, at) : at + 1;
        if (at < wire->bytes.size) {
            cuts[count++] = at;
        }
    }
    const bool good = ask_cut(trial, one, cuts, count);
    free(cuts);
    return good;
}

/* Where the answer does not come or is none, other ways tell nothing new. */
bool kit_try(kit_trial *trial, kit_case *one)
{
    const size_t size = one->its.wire.bytes.size;
    if (ask_whole(trial, one) && ask_every(trial, one, true) &&
        one->kind != KIT_LONG &&
        (one->cut_count == 0 ||
         ask_cut(trial, one, one->cuts, one->cut_count)) &&
        size <= BYTEWISE) {
        ask_every(trial, one, false);
    }
    return trial->findings.count > 0;
}

bool kit_try_cut(kit_trial *trial, kit_case *one, size_t at)
{
    return ask_whole(trial, one) && !ask_cut(trial, one, &at, 1) &&
           !trial->failed;
}

/* ---- time --------------------------------------------------------------- */

enum { SHORTEST = 1024, SIZES = 5, ROUNDS = 5 };
/* Microseconds that are no noise. */
enum { NOISE = 30000 };

typedef struct times {
    int64_t least[SIZES]; /* microseconds; 0: not measured */
    int count;
} times;

/* Twice the bytes take twice the time, or four times, of which three is
 * taken for too much.  What does not grow with them does not count. */
static bool grows(const times *its)
{
    if (its->count < 3) {
        return false;
    }
    const int64_t *last = &its->least[its->count - 1];
    const int64_t more = last[0] - last[-1];
    const int64_t less = last[-1] - last[-2];
    return more > NOISE && more > 3 * less;
}

/* One question with |size| bytes; false: it is of no use to go on. */
static bool measure(kit_trial *trial, kit_case *one, times *its, int i,
                    uint64_t number)
{
    if (!kit_make_sized(trial->maker, one, KIT_LONG, number,
                        (uint64_t)SHORTEST << i)) {
        return false;
    }
    const size_t before = trial->findings.count;
    if (!ask_every(trial, one, true)) {
        /* The time is what is asked for. */
        const bool late = trial->findings.count > before &&
                          trial->findings.all[before].verdict == KIT_HANG;
        trial->findings.count = before;
        if (late && i > 0) {
            kit_find(&trial->findings, KIT_SLOW, "",
                     "no answer in time to a longer one");
            keep(trial, KIT_CUT, before);
        }
        if (late || trial->failed) {
            return false;
        }
    }
    if (its->least[i] == 0 || trial->peer->worked < its->least[i]) {
        its->least[i] = trial->peer->worked;
    }
    its->count = i + 1 > its->count ? i + 1 : its->count;
    return true;
}

void kit_try_times(kit_trial *trial, uint64_t number)
{
    times its = {.count = 0};
    kit_case one;
    /* What hangs may only be slow; what is wrong else takes no time. */
    bool more = trial->findings.count == 0 ||
                trial->findings.all[0].verdict == KIT_HANG;
    if (!more) {
        return;
    }
    const kit_findings before = trial->findings;
    trial->findings.count = 0;
    kit_case_init(&one);
    for (int round = 0; round < ROUNDS && more; round++) {
        for (int i = 0; i < SIZES && more; i++) {
            /* Longer ones would only take longer. */
            if (i >= its.count && grows(&its) &&
                its.least[i - 1] > 10 * NOISE) {
                break;
            }
            more = measure(trial, &one, &its, i, number);
        }
        more = !trial->failed && trial->findings.count == 0 && grows(&its);
        if (more && round > 0 && its.least[its.count - 1] > 10 * NOISE) {
            break; /* no other round would make it less */
        }
    }
    if (more) {
        kit_find(&trial->findings, KIT_SLOW, "",
                 "twice the bytes take four times as long");
        keep(trial, KIT_CUT, 0);
    }
    if (trial->findings.count == 0) {
        trial->findings = before;
    }
    kit_case_free(&one, trial->memory);
}

/* ---- what a parser can -------------------------------------------------- */

const tw_value *kit_ask_formats(kit_trial *trial)
{
    tw_json_out *line = &trial->line;
    line->out.size = 0;
    next_id(trial, "formats");
    tw_json_put(line, "{\"id\":");
    tw_json_put_string(line, trial->id, strlen(trial->id));
    tw_json_put(line, ",\"ask\":\"formats\"}\n");
    /* Whatever is said instead is not judged. */
    const char *text;
    size_t size;
    const kit_reply reply =
        line->failed
            ? KIT_NO_MEMORY
            : kit_peer_ask(trial->peer, trial->peer->patience * BEGINNING,
                           (const char *)line->out.data, line->out.size, &text,
                           &size);
    if (reply != KIT_ANSWERED) {
        give_up_beginning(trial, reply);
        return NULL;
    }
    const tw_value *formats =
        tw_tree_read(&trial->first, text, size, false) == TW_OK
            ? tw_value_member(trial->first.root, "formats")
            : NULL;
    return tw_value_is_a(formats, TW_VALUE_ARRAY) ? formats : NULL;
}
