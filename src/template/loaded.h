/* SPDX-License-Identifier: MIT
 *
 * A chat template as it was loaded: its program, the special tokens of its
 * configuration, and what it takes, which is found by trying.
 */
#ifndef TOOLWIRE_TEMPLATE_LOADED_H
#define TOOLWIRE_TEMPLATE_LOADED_H

#include "messages/conversation.h"
#include "template/template.h"

/* Under which names templates read a message's reasoning. */
enum { TW_REASONING_NAMES = 3 };
extern const char *const tw_reasoning_names[TW_REASONING_NAMES];

typedef struct tw_template_facts {
    bool arguments_as_text; /* of calls: it refuses an object, or prints one
                               as Python does */
    bool takes_parts;       /* a content may be a list of parts */
    bool no_developer;      /* it says a system's text, and no developer's */
    unsigned reasoning;     /* which names it reads: a sum of 1 << number */
    bool nine_in_ids;       /* it says how long ids are: of nine characters */
    bool reads_documents;
    bool tells_losses; /* ... and which spelling of a call its model knows */
    bool reads_own;    /* what templates of ours are given in addition */
} tw_template_facts;

struct tw_template {
    tw_memory memory;
    tw_program program;
    tw_tree config;    /* its JSON, if it has one */
    tw_buffer markers; /* tw_marker: see special.c */
    tw_dict *marked;   /* their texts */
    bool words_mark;   /* words of the template's prompts are markers, too */
    tw_template_facts facts;
    bool own; /* built in: calls of all shapes are given as `tool_calls` */
};

/* Fills |facts|.  False: no memory. */
bool tw_template_probe(struct tw_template *template_);

/* What has a special token's meaning in the prompts of the template; false: no
 * memory. */
bool tw_template_find_markers(struct tw_template *template_);
/* What has a special token's meaning in |prompt|, where the template's words
 * hold its bytes: one may be made of several.  False: no memory. */
bool tw_template_find_more(struct tw_template *template_, const char *prompt,
                           size_t size);
/* The text of a special token: a string, or an object with a `content`. */
const tw_value *tw_token_text(const tw_value *token);

/* Gives |rendering| the variables that transformers gives a template. */
void tw_template_give(const struct tw_template *template_,
                      tw_rendering *rendering,
                      const tw_conversation *conversation);

/* Whose prompts are reported of. */
typedef enum tw_report_for {
    TW_REPORT_ANY,
    TW_REPORT_OWN,     /* also what decoders of the format tell apart */
    TW_REPORT_OWN_IDS, /* ... which make ids of names and numbers */
    TW_REPORT_CALLS    /* of calls alone: the template tells the rest */
} tw_report_for;

/* Reports what says something to the model and is not in |rendering|. */
void tw_template_report(const struct tw_template *template_,
                        const tw_rendering *rendering,
                        const tw_conversation *conversation,
                        tw_report_for whom, tw_losses *losses);
/* Reports settings that change nothing. */
void tw_template_report_settings(const struct tw_template *template_,
                                 const tw_conversation *conversation,
                                 tw_losses *losses);

#endif
