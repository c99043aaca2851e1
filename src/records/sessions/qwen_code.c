/* SPDX-License-Identifier: MIT
 *
 * Sessions of Qwen Code, ~/.qwen/projects/PROJECT/chats/SESSION.jsonl: a line
 * for each content of Gemini's API, in whose words they are, and lines of the
 * agent's own.
 *
 *     {"uuid":"b","parentUuid":"a","sessionId":"s","type":"assistant",
 *      "message":{"role":"model","parts":[...]},"model":"qwen-max"}
 */
#include "records/apis/gemini_halves.h"
#include "records/sessions/session.h"
#include "records/shapes.h"

static bool is_line(const tw_value *line)
{
    return tw_has_text(tw_value_member(line, "sessionId")) &&
           tw_session_has_parts(line);
}

/* Does a user ask in it?  Results are the user's, too. */
static bool is_prompt(const tw_value *line)
{
    return tw_session_has_parts(line) &&
           tw_value_is(tw_value_member(line, "type"), "user");
}

/* What the agent noted of the conversation, or for itself. */
static void read_note(tw_recoder *recoder, const tw_value *line)
{
    const tw_value *about = tw_value_member(line, "subtype");
    if (tw_value_is(about, "chat_compression")) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "The conversation was compacted here: the "
                               "model saw this in place of what stands "
                               "before.");
    } else if (tw_value_is(about, "rewind")) {
        tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, line,
                               "The user took turns back here: the model saw "
                               "no more of them.");
    } else if (tw_has_text(about)) {
        tw_recoder_lose_once(recoder, line, about->text, about->size);
    } else {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "No conversation has a line of this type.");
    }
}

static void read_line(tw_recoder *recoder, tw_value *contents,
                      const tw_value *line)
{
    static const char *const known[] = {"type", "message", "model",
                                        "sessionId", NULL};
    if (line->kind != TW_VALUE_OBJECT) {
        tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, line,
                               "The line is cut off, or no JSON.");
    } else if (tw_session_has_parts(line)) {
        tw_make_copy(&recoder->texts, contents, NULL,
                     tw_value_member(line, "message"));
        tw_recoder_lose_others(recoder, line, known);
    } else {
        read_note(recoder, line);
    }
}

static void read_lines(tw_recoder *recoder, tw_value *contents,
                       const tw_value *lines)
{
    tw_buffer judged = {0};
    tw_session_judge(recoder, lines, is_prompt, &judged);
    for (const tw_value *at = lines->first;
         at != NULL && !recoder->json_out.failed; at = at->next) {
        const unsigned char what = judged.data[at->index];
        if (what == TW_LINE_LEFT && tw_session_has_parts(at)) {
            tw_recoder_report_loss(recoder, TW_LOSS_MESSAGE_DROPPED, at,
                                   "It is of a branch that the user left.");
        } else if (what == TW_LINE_AGAIN) {
            tw_recoder_report_loss(recoder, TW_LOSS_MEMBER_DROPPED, at,
                                   "The file has this line before.");
        } else {
            read_line(recoder, contents, at);
        }
    }
    tw_buffer_free(&judged, recoder->memory);
}

static tw_fit fits(const tw_value *record)
{
    return tw_session_fit(record, is_line);
}

static const tw_value *read(tw_recoder *recoder, const tw_value *record)
{
    const tw_value *lines = tw_use_member(record, "lines");
    tw_value *made = tw_make(&recoder->texts, NULL, NULL, TW_VALUE_OBJECT);
    tw_value *contents =
        tw_make(&recoder->texts, made, "contents", TW_VALUE_ARRAY);
    if (fits(record) == TW_FIT_NONE) {
        tw_recoder_refuse(recoder, record, "no line is one of Qwen Code's");
        return NULL;
    }
    read_lines(recoder, contents, lines);
    if (contents == NULL || recoder->texts.error == TW_ERROR_MEMORY) {
        recoder->json_out.failed = true;
        return NULL;
    }
    return tw_session_leave_out_calls(recoder, tw_gemini_read(recoder, made));
}

const tw_record_shape tw_qwen_code_shape = {
    .name = "qwen-code",
    .about = "read only: a session of Qwen Code, all lines of a file",
    .gathers = true,
    .is_line = is_line,
    .fits = fits,
    .read = read,
};
