/* SPDX-License-Identifier: MIT
 *
 * toolwire test --templates: chat templates and requests are put to another
 * engine of Jinja.  What is due, this library's own engine says: the same
 * text, or an error.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/commands.h"
#include "cli/test_ask.h"
#include "kit/walk.h"

enum { OTHER_TEXT, WRONGLY_REFUSED, WRONGLY_RENDERED, NO_ANSWER };
static const char *const verdicts[] = {"text", "refused", "rendered",
                                       "no_answer", NULL};

/* What templates are made of, in turn. */
static const char *const kinds[] = {"values", "filters",    "tests", "methods",
                                    "blocks", "statements", "chat",  NULL};
enum { CHAT = 6, KINDS = 7 };

/* Templates end behind so many characters, and are looked for so often. */
enum { LONG = 160, TRIES = 8 };

/* A template of each kind, as GBNF.  What is not in here is what chat
 * templates do not use, and what has no text of its own: the order of a set,
 * the address of an object. */
static const char *const grammar[] = {
    "text ::= \"Oslo \" | \"\\n\" | \" a\\n\" | \"<|x|>\" | \"\xC3\xA9 \" | "
    "\"'\"",
    "open ::= \"{{ \" | \"{{- \" | \"{{\"",
    "close ::= \" }}\" | \" -}}\" | \"}}\"",
    "begin ::= \"{% \" | \"{%- \" | \"\\n  {% \"",
    "end ::= \" %}\" | \" -%}\" | \" %}\\n\"", "put ::= open value close",
    "string ::= \"'Oslo x'\" | \"' a b '\" | \"'a,b,,c'\" | \"'\\\\n'\" | "
    "\"\\\"it's\\\"\" | \"'Stra\xC3\x9F"
    "e \xC3\x89'\" | \"''\" | \"'<b>&'\"",
    "number ::= \"0\" | \"7\" | \"-3\" | \"2.5\" | \"100.0\" | \"1e22\"",
    "list ::= \"[3, 1, 2]\" | \"[]\" | \"['b', 'a', 'b']\" | \"messages\" | "
    "\"[1, 'a', none, true]\" | \"range(4)\" | \"[[1, 2], [3, 4]]\"",
    "mapping ::= \"{'b': 1, 'a': [2, none]}\" | \"{}\" | \"messages[0]\" | "
    "\"messages[-1]\"",
    "known ::= \"messages[0].content\" | \"messages[0]['role']\" | "
    "\"messages[1].tool_calls\" | \"add_generation_prompt\" | \"tools\"",
    "unknown ::= \"nothing\" | \"messages[0].nothing\" | \"nothing.more\"",
    "scalar ::= string | number | known | \"true\" | \"none\"",
    "value ::= scalar | scalar | list | mapping | unknown | sum | \"(\" value "
    "\")\" | part | choice",
    "sum ::= scalar \" \" operator \" \" scalar | string \" ~ \" value | list "
    "\" + \" list",
    "operator ::= \"+\" | \"-\" | \"*\" | \"/\" | \"//\" | \"%\" | \"~\" | "
    "\"==\" | \"!=\" | \"<\" | \">=\" | \"and\" | \"or\"",
    "part ::= string slice | list slice | list \"[0]\" | mapping \"['a']\"",
    "slice ::= \"[1:]\" | \"[:-1]\" | \"[::-1]\" | \"[1:3]\" | \"[:0]\"",
    "choice ::= value \" if \" check \" else \" value | \"not \" scalar",
    "check ::= value \" is \" test | value \" is not \" test | scalar \" in "
    "\" "
    "list | string \" in \" string | scalar",
    "test ::= \"defined\" | \"none\" | \"string\" | \"mapping\" | "
    "\"iterable\" | \"number\" | \"sequence\" | \"undefined\" | \"true\" | "
    "\"boolean\" | \"integer\" | \"float\" | \"odd\" | \"divisibleby(2)\" | "
    "\"eq 7\" | \"in [1, 7]\"",
    "filter ::= \"trim\" | \"upper\" | \"lower\" | \"title\" | \"capitalize\" "
    "| \"length\" | \"first\" | \"last\" | \"tojson\" | \"string\" | \"list\" "
    "| \"join(', ')\" | \"replace('a', '<>')\" | \"default('d')\" | \"int\" | "
    "\"float\" | \"sort\" | \"abs\" | \"tojson(indent=2)\" | \"safe\" | "
    "\"default('d', true)\" | \"round(1)\" | \"indent(2)\" | "
    "\"dictsort\" | \"unique | list\" | \"map(attribute='role') | "
    "join('-')\" | \"selectattr('role', 'equalto', 'user') | list | length\" "
    "| \"reject('none') | list\" | \"items | list\" | \"trim('a')\" | "
    "\"map('upper') | join\"",
    "filtered ::= value \" | \" filter | filtered \" | \" filter | list \" | "
    "\" filter | string \" | \" filter",
    "method ::= \".strip()\" | \".split(',')\" | \".upper()\" | "
    "\".lstrip()\" | \".rstrip('\\\\n')\" | \".startswith('a')\" | "
    "\".endswith(('x', 'b'))\" | \".replace('a', 'b')\" | \".split()\" | "
    "\".title()\" | \".strip(' a')\" | \".find('s')\" | \".count('a')\" | "
    "\".split('a', 1)[-1]\" | \".join(['a', 'b'])\" | \".lower().upper()\"",
    "called ::= string method | string method | mapping \".get('a', 'z')\" | "
    "mapping \".items() | list\" | mapping \".keys() | list\" | string method "
    "\" | tojson\"",
    "body ::= put | text | text put | statement",
    "statement ::= for | if | set | namespace | macro | raw",
    "for ::= begin \"for x in \" list end forbody begin \"endfor\" end | "
    "begin "
    "\"for x in \" list \" if x\" end forbody begin \"else\" end text begin "
    "\"endfor\" end | begin \"for k, v in {'b': 1, 'a': 2}.items()\" end "
    "\"{{ k ~ v }}\" begin \"endfor\" end",
    "forbody ::= \"{{ x }}\" | \"{{ loop.index }}{{ loop.last }}\" body | "
    "text "
    "\"{{ loop.length }}\" | \"{{ loop.index0 ~ loop.first }}\" text | begin "
    "\"if loop.first\" end begin \"continue\" end begin \"endif\" end text | "
    "text begin \"break\" end | body",
    "if ::= begin \"if \" check end body begin \"endif\" end | begin \"if \" "
    "check end body begin \"elif \" check end body begin \"else\" end body "
    "begin \"endif\" end",
    "set ::= begin \"set x = \" value end \"{{ x }}\" | begin \"set x\" end "
    "body begin \"endset\" end \"[{{ x }}]\" | begin \"set x, y = 1, 'b'\" "
    "end "
    "\"{{ y ~ x }}\"",
    "namespace ::= begin \"set n = namespace(a=\" scalar \")\" end begin "
    "\"for "
    "x in \" list end begin \"set n.a = x\" end begin \"endfor\" end \"{{ n.a "
    "}}\"",
    "macro ::= begin \"macro m(a, b='z')\" end text \"{{ a ~ b }}\" begin "
    "\"endmacro\" end \"{{ m(\" scalar \") }}{{ m(1, b=\" scalar \") }}\"",
    "raw ::= \"{% raw %}{{ x }}{% endraw %}\" | \"{# not this #}\" text | "
    "\"{#- nor this -#}\" text",
    "role ::= \"{{ '<|' ~ message.role ~ '|>' }}\" | \"{{- '[' + "
    "message['role'] + ']' }}\" | \"{{ message.role | upper }}: \"",
    "content ::= \"{{ message.content }}\" | \"{{- message.content | trim "
    "}}\" | \"{{ message['content'] ~ eos }}\" | \"{{ message.content.strip() "
    "}}\"",
    "calls ::= begin \"if message.tool_calls is defined\" end begin \"for c "
    "in message.tool_calls\" end text \"{{ c.function.name }}\" argument "
    "begin \"endfor\" end begin \"endif\" end | text",
    "argument ::= \"{{ c.function.arguments | tojson }}\" | begin \"for k, v "
    "in c.function.arguments.items()\" end \"{{ k }}={{ v if v is string else "
    "v | tojson }}\" begin \"endfor\" end",
    "roles ::= \"['system', 'user', 'assistant']\" | "
    "\"['user', 'assistant']\"",
    "prompt ::= begin \"if add_generation_prompt\" end text begin \"endif\" "
    "end | text",
    "turns ::= begin \"for message in messages\" end role content calls begin "
    "\"endfor\" end | begin \"for message in messages\" end begin \"if "
    "message.role == 'tool'\" end begin \"continue\" end begin \"elif "
    "message.role not in \" roles end \"{{ "
    "raise_exception('no') }}\" begin \"endif\" end role content calls begin "
    "\"endfor\" end",
    /* What few values show comes often. */
    "counted ::= number \" \" operator \" \" number",
    "spelt ::= \"'Stra\xC3\x9F"
    "e \xC3\x89x' | \" spelling",
    "spelling ::= \"upper\" | \"lower\" | \"title\" | \"capitalize\" | "
    "\"length\" | \"reverse\" | \"first\" | \"tojson\" | \"list\" | "
    "\"replace('\xC3\x9F', 'ss')\"",
    "unset ::= \"none\" | \"nothing\" | \"''\" | \"0\" | \"false\" | "
    "\"messages[0].nothing\"",
    "given ::= unset \" | default('d')\" | unset \" | default('d', true)\"",
    "told ::= unset \" is \" state",
    "state ::= \"defined\" | \"undefined\" | \"not defined\" | \"none\" | "
    "\"string\"",
    "values ::= put | put text put | open counted close | open counted close",
    "filters ::= open filtered close | open spelt close | open given close",
    "tests ::= open \"'y' if \" check \" else 'n'\" close | open \"'y' if \" "
    "told \" else 'n'\" close",
    "methods ::= open called close", "blocks ::= text statement text",
    "statements ::= body statement body statement",
    "chat ::= turns prompt | begin \"set eos = '</s>'\" end turns prompt",
    NULL};

/* Requests, the first of which has calls: of chat templates alone, since
 * whether arguments are objects or text the library finds out from how a
 * template takes them. */
#define TOOLS                                                        \
    "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":"      \
    "\"tide\",\"description\":\"tells \\\"it\\\"\",\"parameters\":{" \
    "\"type\":\"object\",\"properties\":{\"at\":{\"type\":"          \
    "\"string\"}}}}}],"
static const char *const requests[] = {
    "{\"messages\":[{\"role\":\"user\",\"content\":\" a Oslo \"},"
    "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"c0\","
    "\"type\":\"function\",\"function\":{\"name\":\"tide\",\"arguments\":{"
    "\"at\":\"Brest \xC3\xA9\",\"days\":2,\"x\":[1.5,null,true]}}}]},"
    "{\"role\":\"tool\",\"tool_call_id\":\"c0\",\"name\":\"tide\",\"content\":"
    "\"low\\n\"}]," TOOLS "\"add_generation_prompt\":true}",
    "{\"messages\":[{\"role\":\"system\",\"content\":\"<b>be brief</b>\"},"
    "{\"role\":\"user\",\"content\":\"\xF0\x9F\xA6\xA6 it's\\n\"}]," TOOLS
    "\"add_generation_prompt\":false}",
    ("{\"messages\":[{\"role\":\"user\",\"content\":\"42 x\"}],"
     "\"tools\":null,\"add_generation_prompt\":true}"),
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

typedef struct run {
    const cli_options *options;
    const tw_memory *memory;
    cli_asking asking;
    kit_walker walkers[KINDS];
    tw_buffer grammars[KINDS]; /* what walkers read */
    tw_buffer text;            /* the template */
    tw_buffer due;             /* its rendering ... */
    bool refuses;              /* ... or this */
} run;

/* ---- what is put -------------------------------------------------------- */

static bool append_grammar(const run *its, tw_buffer *text)
{
    bool good = true;
    for (size_t i = 0; grammar[i] != NULL && good; i++) {
        good = tw_buffer_append(text, its->memory, "\n", 1) &&
               tw_buffer_append(text, its->memory, grammar[i],
                                strlen(grammar[i]));
    }
    return good && tw_buffer_append(text, its->memory, "\n", 1);
}

static bool begin(run *its)
{
    bool good = true;
    for (int i = 0; i < KINDS && good; i++) {
        tw_buffer *text = &its->grammars[i];
        kit_walker_init(&its->walkers[i], its->memory);
        good =
            tw_buffer_append(text, its->memory, "root ::= ", 9) &&
            tw_buffer_append(text, its->memory, kinds[i], strlen(kinds[i])) &&
            append_grammar(its, text) &&
            kit_walker_read(&its->walkers[i], (const char *)text->data,
                            text->size);
    }
    return good;
}

/* What this library makes of it; false: nothing that could be compared. */
static bool render(run *its, const tw_template *template_, const char *request)
{
    tw_encoder *encoder = tw_encoder_new_template(template_, NULL, NULL);
    const char *text;
    size_t size;
    int result = TW_ERROR_MEMORY;
    its->due.size = 0;
    if (encoder != NULL) {
        tw_encoder_set(encoder, TW_OPTION_CONTROL_TEXT, TW_CONTROL_TEXT_ALLOW);
        result = tw_encode(encoder, request, strlen(request), &text, &size);
    }
    its->refuses = result == TW_ERROR_TEMPLATE;
    its->asking.stops |=
        result == TW_ERROR_MEMORY ||
        (result == TW_OK &&
         !tw_buffer_append(&its->due, its->memory, text, size));
    tw_encoder_free(encoder);
    return its->refuses || result == TW_OK;
}

/* A template at random, which may be none, and then is refused. */
static bool make_template(run *its, uint64_t number, const char *request)
{
    uint64_t state =
        its->options->seed * UINT64_C(0x9E3779B97F4A7C15) + number;
    tw_template *template_ = NULL;
    tw_format_error error;
    its->text.size = 0;
    if (!kit_walk(&its->walkers[its->asking.kind], &state, LONG, &its->text)) {
        return false;
    }
    const tw_template_source source = {.text = (const char *)its->text.data,
                                       .size = its->text.size};
    const int loaded = tw_template_load(&source, NULL, &template_, &error);
    const bool good = loaded == TW_OK && render(its, template_, request);
    its->asking.stops |= loaded == TW_ERROR_MEMORY;
    tw_template_free(template_);
    return good;
}

static void jot_question(run *its, const char *request)
{
    tw_json_out *line = &its->asking.line;
    line->out.size = 0;
    tw_json_put(line, "{\"id\":");
    tw_json_put_number(line, its->asking.cases);
    cli_jot_member(line, "template", (const char *)its->text.data,
                   its->text.size);
    tw_json_put(line, ",\"request\":");
    tw_json_put(line, request);
    tw_json_put(line, "}");
}

/* ---- what comes --------------------------------------------------------- */

static void judge(run *its, const tw_value *answer)
{
    const tw_value *text = tw_value_member(answer, "text");
    const bool rendered = tw_value_is_a(text, TW_VALUE_STRING);
    const bool refused = tw_value_member(answer, "error") != NULL;
    const bool same = rendered && text->size == its->due.size &&
                      memcmp(text->text, its->due.data, text->size) == 0;
    const int verdict = !rendered && !refused ? NO_ANSWER
                        : its->refuses        ? WRONGLY_RENDERED
                        : refused             ? WRONGLY_REFUSED
                                              : OTHER_TEXT;
    tw_json_out got = {.memory = its->memory};
    if (its->refuses ? refused && !rendered : same) {
        return;
    }
    tw_json_put_value(&got, answer);
    /* The question shows what is due beside it. */
    tw_json_out *line = &its->asking.line;
    line->out.size -= 2;
    if (!its->refuses) {
        cli_jot_member(line, "due",
                       its->due.size > 0 ? (const char *)its->due.data : "",
                       its->due.size);
    }
    tw_json_put(line, "}\n");
    its->asking.stops |= got.failed || line->failed;
    if (!its->asking.stops) {
        cli_ask_found(&its->asking, verdict, (const char *)got.out.data,
                      got.out.size);
    }
    tw_buffer_free(&got.out, its->memory);
}

static void run_all(run *its)
{
    for (uint64_t i = 0; i < its->options->count && !its->asking.stops; i++) {
        its->asking.kind = (int)(i % KINDS);
        const char *request = its->asking.kind == CHAT
                                  ? requests[i / KINDS % REQUESTS]
                                  : requests[1 + i / KINDS % (REQUESTS - 1)];
        its->asking.what = kinds[its->asking.kind];
        bool made = false;
        for (uint64_t at = 0; at < TRIES && !made && !its->asking.stops;
             at++) {
            made = make_template(its, i * TRIES + at, request);
        }
        if (made && !its->asking.stops) {
            jot_question(its, request);
            const tw_value *answer = cli_ask(&its->asking, NO_ANSWER);
            if (answer != NULL) {
                judge(its, answer);
            }
        }
        its->asking.stops |= its->asking.output.failed;
    }
}

int cli_test_templates(const cli_options *options)
{
    const tw_memory memory = tw_memory_from(NULL);
    run its = {.options = options,
               .memory = &memory,
               .asking = {.verdicts = verdicts,
                          .about = "engine",
                          .named = "templates"}};
    if (cli_asking_open(&its.asking, options, options->templates, &memory) !=
        CLI_FINE) {
        return CLI_IO;
    }
    its.asking.stops = !begin(&its);
    run_all(&its);
    for (int i = 0; i < KINDS; i++) {
        kit_walker_free(&its.walkers[i]);
        tw_buffer_free(&its.grammars[i], &memory);
    }
    tw_buffer_free(&its.text, &memory);
    tw_buffer_free(&its.due, &memory);
    return cli_asking_close(&its.asking);
}
