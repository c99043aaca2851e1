/* SPDX-License-Identifier: MIT
 *
 * What a template takes is found by trying: small conversations are rendered,
 * each with a word that must be in the prompt.
 */
#include "template/loaded.h"

#define USER "{\"role\":\"user\",\"content\":\"Hello.\"}"
#define WORD "probeword"
#define TOOLS                                                             \
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"probe\"," \
    "\"description\":\"A tool.\",\"parameters\":{\"type\":\"object\","    \
    "\"properties\":{\"probekey\":{\"type\":\"string\",\"description\":"  \
    "\"A text.\"}},\"required\":[\"probekey\"]}}}]"

/* A call as an engine's history has it: its result and a question follow. */
static const char call_request[] =
    "{\"messages\":[" USER ",{\"role\":\"assistant\",\"content\":\"\","
    "\"tool_calls\":[{\"id\":\"abcd00000\",\"type\":\"function\",\"function\":"
    "{\"name\":\"probe\",\"arguments\":\"{\\\"probekey\\\": \\\"" WORD
    "\\\"}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"abcd00000\",\"name\":"
    "\"probe\",\"content\":\"Done.\"}]," TOOLS
    ",\"add_generation_prompt\":true}";
static const char parts_request[] =
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
    "\"text\":\"" WORD "\"}]}],\"add_generation_prompt\":true}";
static const char developer_request[] =
    "{\"messages\":[{\"role\":\"developer\",\"content\":\"" WORD "\"}," USER
    "],\"add_generation_prompt\":true}";
static const char system_request[] =
    "{\"messages\":[{\"role\":\"system\",\"content\":\"" WORD "\"}," USER
    "],\"add_generation_prompt\":true}";
static const char *const reasoning_requests[TW_REASONING_NAMES] = {
    "{\"messages\":[" USER ",{\"role\":\"assistant\",\"content\":\"Yes.\","
    "\"reasoning_content\":\"" WORD "\"}]}",
    "{\"messages\":[" USER ",{\"role\":\"assistant\",\"content\":\"Yes.\","
    "\"reasoning\":\"" WORD "\"}]}",
    "{\"messages\":[" USER ",{\"role\":\"assistant\",\"content\":\"Yes.\","
    "\"thinking\":\"" WORD "\"}]}"};

typedef struct probing {
    struct tw_template *template_;
    tw_rendering rendering;
    tw_conversation conversation;
    bool good; /* there was memory */
} probing;

static bool says(const probing *work, const char *word)
{
    const tw_buffer *text = &work->rendering.text.text;
    const tw_string all = {.data =
                               text->size > 0 ? (const char *)text->data : "",
                           .size = text->size};
    const tw_string part = {.data = word, .size = strlen(word)};
    return tw_string_find(&all, 0, &part) != SIZE_MAX;
}

/* A template alone has no special tokens: they are empty while it is tried. */
static void give_no_tokens(tw_machine *machine)
{
    static const char *const names[] = {"bos_token", "eos_token", "pad_token",
                                        "unk_token"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tw_rendering_give(machine, names[i], tw_word(machine, ""));
    }
}

/* Renders it; is the word in the prompt? */
static bool try_request(probing *work, const char *request)
{
    if (tw_conversation_read(&work->conversation, request, strlen(request)) !=
        TW_OK) {
        work->good = false;
        return false;
    }
    tw_rendering_begin(&work->rendering);
    give_no_tokens(&work->rendering.machine);
    tw_template_give(work->template_, &work->rendering, &work->conversation);
    const int code = tw_rendering_run(&work->rendering);
    const tw_buffer *text = &work->rendering.text.text;
    work->good &= code != TW_ERROR_MEMORY &&
                  (code != TW_OK || text->size == 0 ||
                   tw_template_find_more(
                       work->template_, (const char *)text->data, text->size));
    return code == TW_OK && says(work, WORD);
}

static void probe_all(probing *work)
{
    tw_template_facts *facts = &work->template_->facts;
    const bool object =
        try_request(work, call_request) && !says(work, "{'probekey'");
    if (!object) {
        facts->arguments_as_text = true;
        facts->arguments_as_text = try_request(work, call_request);
    }
    facts->takes_parts = try_request(work, parts_request) &&
                         !says(work, "'type'") && !says(work, "\"type\"");
    const bool system = try_request(work, system_request);
    facts->no_developer = !try_request(work, developer_request) && system;
    unsigned reasoning = 0; /* what is known of one name renames others */
    for (size_t i = 0; i < TW_REASONING_NAMES; i++) {
        const bool read = try_request(work, reasoning_requests[i]);
        reasoning |= (unsigned)read << i;
    }
    facts->reasoning = reasoning;
}

bool tw_template_probe(struct tw_template *template_)
{
    probing work = {.template_ = template_, .good = true};
    tw_rendering_init(&work.rendering, &template_->program,
                      &template_->memory);
    work.rendering.step_limit = 1000 * 1000; /* it is tried, not used */
    tw_conversation_init(&work.conversation, &template_->memory);
    probe_all(&work);
    tw_conversation_free(&work.conversation);
    tw_rendering_free(&work.rendering);
    return work.good;
}
