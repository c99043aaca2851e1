/* SPDX-License-Identifier: MIT
 *
 * The Harmony encoder's parts.
 */
#ifndef TOOLWIRE_FORMATS_HARMONY_ENCODE_H
#define TOOLWIRE_FORMATS_HARMONY_ENCODE_H

#include "core/answers.h"
#include "formats/encode.h"

typedef struct tw_harmony_dialect {
    bool renderer;               /* openai/harmony's; else a chat template */
    const char *system;          /* all of the system message, or NULL */
    const char *variant_default; /* between a variant and its default */
} tw_harmony_dialect;

/* ---- texts.c ---------------------------------------------------- */

extern const char tw_harmony_browser[];
extern const char tw_harmony_python[];
extern const char tw_harmony_pyronet_system[];

/* ---- tools as TypeScript ------------------------------------------------ */

/* typescript.c: `## functions` and all behind it, as the chat
 * templates write it. */
void tw_harmony_put_types(tw_segments *, const tw_harmony_dialect *,
                          const tw_value *tools);
/* namespace.c: as openai/harmony does. */
void tw_harmony_put_namespace(tw_segments *, const tw_harmony_dialect *,
                              const tw_value *tools);

/* ---- schema.c: what both share ---------------------------------- */

/* The keywords of a schema that a declaration may show. */
enum {
    TW_SHOWN_TYPE = 1,
    TW_SHOWN_PROPERTIES = 2,
    TW_SHOWN_REQUIRED = 4,
    TW_SHOWN_ITEMS = 8,
    TW_SHOWN_ONE_OF = 16,
    TW_SHOWN_ENUM = 32,
    TW_SHOWN_DESCRIPTION = 64,
    TW_SHOWN_DEFAULT = 128,
    TW_SHOWN_TITLE = 256,
    TW_SHOWN_EXAMPLES = 512
};

/* Reports each member of |schema| whose keyword is not in |shown|. */
void tw_harmony_report_unshown(tw_segments *, const tw_value *schema,
                               unsigned shown);
/* ... of what declares a function: all but its name, description and
 * parameters. */
void tw_harmony_report_unshown_tool(tw_segments *, const tw_value *tool);

/* faithful.c: the declarations of |tools| were put behind |place|.
 * Where they may read back as others, what differs is reported in place of
 * what was reported there. */
void tw_harmony_report_unfaithful(tw_segments *, const tw_harmony_dialect *,
                                  const tw_value *tools, tw_place place);

/* The names of a list `required`, ordered: a part of |names| in the walk. */
typedef struct tw_required {
    size_t begin;
    size_t count;
} tw_required;

/* A schema whose parts are being put. */
typedef struct tw_open_schema {
    int kind; /* the caller's */
    const tw_value *schema;
    const tw_value *part; /* the one under way, at first the first */
    bool alone;           /* it is the only one */
    tw_required required; /* of an object */
    size_t indent;
    tw_place place;   /* where the schema begins */
    size_t part_text; /* where the type of the part begins */
} tw_open_schema;

/* A walk over a schema with a stack of its own: nesting costs no C stack. */
typedef struct tw_schema_walk {
    tw_segments *out;
    const tw_harmony_dialect *dialect;
    /* Puts what stands in front of a part and all of its type; or opens it
     * with tw_schema_open(). */
    void (*begin)(struct tw_schema_walk *, const tw_value *part);
    /* Behind the part of |open|. */
    void (*end)(struct tw_schema_walk *, const tw_open_schema *open);
    /* What is shown of a schema by the place where it stands. */
    unsigned (*shown_there)(const struct tw_schema_walk *);
    /* Behind the last one. */
    void (*close)(struct tw_schema_walk *, const tw_open_schema *open);
    tw_buffer open;  /* tw_open_schema, the outermost first */
    tw_buffer names; /* const tw_value *, of what is open */
    size_t scanned;  /* for tw_schema_says_null() */
    bool some_null;
    size_t last_null;
} tw_schema_walk;

/* Puts |schema|. */
void tw_schema_put(tw_schema_walk *, const tw_value *schema);
/* The declarations of all tools; frees the walk. */
void tw_schema_put_namespace(tw_schema_walk *, const tw_value *tools,
                             void (*put)(tw_schema_walk *,
                                         const tw_value *tool));
/* Its |part| is put next.  |required|: NULL or the list of an object. */
void tw_schema_open(tw_schema_walk *, const tw_open_schema *,
                    const tw_value *required);
/* The innermost open schema; NULL: none.  It lives until one is opened. */
tw_open_schema *tw_schema_top(const tw_schema_walk *);
/* Adds to |names|; they stay until its size is set back. */
tw_required tw_schema_require(tw_schema_walk *, const tw_value *list);
bool tw_schema_is_required(const tw_schema_walk *, tw_required,
                           const tw_value *member);
/* Reports what is not |shown| of |schema|, neither by its place. */
void tw_schema_report(tw_schema_walk *, const tw_value *schema,
                      unsigned shown);
/* A type that is one word, and the report. */
void tw_schema_put_word(tw_schema_walk *, const tw_value *schema,
                        const tw_value *type);
/* Does the text hold `null` behind |begin|? */
bool tw_schema_says_null(tw_schema_walk *, size_t begin);

/* ---- parts of an assistant's message -------------------------------------
 */

typedef enum tw_harmony_part {
    TW_PART_NONE, /* no assistant's */
    TW_PART_REASONING,
    TW_PART_COMMENTARY,
    TW_PART_CALL,
    TW_PART_ANSWER
} tw_harmony_part;

/* transcript.c */

/* Is |part|, which stands behind |before|, of another message? */
bool tw_harmony_begins_message(tw_harmony_part before, tw_harmony_part part);
/* How much of the text behind `# Instructions` stands in front of what reads
 * as tools: all of it, if there are none. */
size_t tw_harmony_find_tools(const char *text, size_t size);

/* ---- a prompt under way --------------------------------------------------
 */

typedef struct tw_harmony_prompt {
    const tw_harmony_dialect *dialect;
    const tw_conversation *conversation;
    tw_segments *out;
    bool preserve;          /* no reasoning is dropped */
    size_t drop_before;     /* reasoning of messages before this is dropped */
    const tw_call *last;    /* the last one that was put */
    tw_harmony_part before; /* what was put last */
    const tw_message *writer; /* the last assistant's of which some was put */
    size_t results;           /* how many follow each other */
    tw_answers answers;
    /* The name that the chat template gives the next result, or NULL. */
    const tw_value *last_name;
} tw_harmony_prompt;

static inline bool tw_harmony_is_jinja(const tw_harmony_prompt *prompt)
{
    return !prompt->dialect->renderer;
}

static inline void tw_harmony_template_fails(const tw_harmony_prompt *prompt,
                                             const tw_value *where)
{
    tw_encode_defect(prompt->out, where, "the template fails here");
}

/* calls.c */

/* `<|start|>` and |role|, with the author's own name. */
void tw_harmony_put_author(const tw_harmony_prompt *, const tw_message *,
                           const char *role);
/* ... of a part of an assistant's message. */
void tw_harmony_put_part(tw_harmony_prompt *, const tw_message *,
                         tw_harmony_part);
/* Reports that |message| has no text: it is read back as an empty one. */
void tw_harmony_report_no_text(const tw_harmony_prompt *, const tw_message *);
/* Does the request name this built-in tool? */
bool tw_harmony_has_builtin(const tw_harmony_prompt *, const char *name);
/* Those of an assistant's message, each in a message of its own. */
void tw_harmony_put_calls(tw_harmony_prompt *, const tw_message *);
/* The message |at|, a tool's. */
void tw_harmony_put_result(tw_harmony_prompt *, const tw_message *, size_t at);

/* ---- the front door ----------------------------------------------------- */

void tw_harmony_encode(const tw_format *, const tw_conversation *,
                       tw_segments *);
void tw_harmony_complete(const tw_format *, const tw_conversation *,
                         tw_segments *);
/* transcript.c */
void tw_harmony_read_transcript(const tw_format *, tw_transcript_reader *,
                                const char *text, size_t size);
/* declared.c: what stands inside `namespace functions`. */
void tw_harmony_read_tools(const tw_harmony_dialect *, tw_transcript_reader *,
                           const char *text, size_t size);

#endif
