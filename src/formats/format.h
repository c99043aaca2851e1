/* SPDX-License-Identifier: MIT
 *
 * What is known of a format: a row for each dialect, and one set of functions
 * for each family.
 */
#ifndef TOOLWIRE_FORMATS_FORMAT_H
#define TOOLWIRE_FORMATS_FORMAT_H

#include "messages/transcript_reader.h"
#include "messages/conversation.h"
#include "formats/description.h"
#include "messages/segments.h"
#include "formats/decoding.h"

/* What an encoder asks of a format: nothing, where a build leaves these out.
 */
#ifdef TW_WITHOUT_ENCODE
enum { TW_HAS_ENCODERS = 0 };
#define TW_ENCODES(what) NULL
#else
enum { TW_HAS_ENCODERS = 1 };
#define TW_ENCODES(what) what
#endif

typedef struct tw_family {
    const tw_decoding *decoding;
    /* Puts the turn of the conversation's one message, which the model goes
     * on with behind a query, without the turn's head.  NULL: the template of
     * ours puts that turn, and prompts are told by its rules. */
    void (*complete)(const tw_format *, const tw_conversation *,
                     tw_segments *);
    /* Collects the turns and tools of a prompt; NULL: it is not read back. */
    void (*read_transcript)(const tw_format *, tw_transcript_reader *,
                            const char *text, size_t size);
    /* Collects what a turn holds that stands without its frame: results, or
     * what a system's text declares of tools.  NULL: nothing. */
    void (*read_turn)(const tw_format *, tw_transcript_reader *, tw_turn_kind,
                      const char *text, size_t size);
    /* Puts the conversation's results, which are all of it, as one turn holds
     * them, without its frame.  NULL: they have no frame of their own. */
    void (*put_results)(const tw_format *, const tw_conversation *,
                        tw_segments *);
    /* Puts a message's calls, as |complete| does; NULL: no template of ours
     * writes prompts. */
    void (*put_calls)(const tw_format *, const tw_conversation *,
                      const tw_message *, tw_segments *);
    /* Reports what of a prompt that a template of ours wrote reads back as
     * another; NULL: nothing does. */
    void (*check_prompt)(const tw_format *, const tw_conversation *,
                         tw_segments *);
    /* The template of ours tells what is lost of texts: they are not looked
     * for among what it wrote. */
    bool tells_losses;
    bool writes_free_text; /* of custom calls */
    bool reads_turn_head;  /* the turn's head is part of what is decoded */
    bool text_behind;      /* the template writes text behind calls */
    /* Members of messages that a prompt carries, or that are reported, beyond
     * those that a tw_message has; NULL-ended.  NULL: the template of ours
     * tells of all members. */
    const char *const *members;
    /* Roles that prompts know beyond tw_role; NULL-ended, or NULL. */
    const char *const *roles;
} tw_family;

/* A template of ours, in Jinja. */
typedef struct tw_own_prompt {
    const char *text; /* without a NUL at its end */
    size_t size;
    const tw_setting *settings; /* the last one without a name; or NULL */
    bool takes_parts; /* of a content, as they are, not as one text */
} tw_own_prompt;

struct tw_format {
    const char *name;
    const char *alias; /* the family's name, for its first dialect */
    const char *about;
    /* Whose it is, each name ended by a NUL, one more behind the last; NULL,
     * where it is loaded: those of its description. */
    const char *models;
    const tw_family *family;
    const tw_marker *markers;
    const size_t *marker_count;
    const char *const *turn_heads; /* NULL-ended: what begins the assistant's
                                      turn in a prompt */
    const char *const *call_heads; /* NULL-ended: how its calls begin, to be
                                      known in text of another format: a blank
                                      stands for any or none, a `*` for a word
                                      (watch.h) */
    const tw_own_prompt *prompt;   /* what writes them, or NULL */
    bool loaded;                   /* from a description at run time */
    const tw_setting *settings;    /* which chat_template_kwargs its prompts
                                      read, the last one without a name;
                                      NULL: none */
    const tw_description *description; /* of a framed format, or NULL */
    const char *canonical; /* of a format without a description, one of what
                              it writes, for grammars; or NULL */
};

extern const tw_family tw_frame_family;
/* The first bytes of a head tell most heads apart; no blank and no word stands
 * in them. */
enum { TW_HEAD_LEAD = 3 };

/* How calls begin in text; see tw_format.call_heads. */
typedef struct tw_call_head {
    const char *text; /* TW_HEAD_LEAD bytes at least; a `<` or `[` begins it,
                         since text is looked at from these on */
    const tw_format *format; /* the first one that writes them so */
} tw_call_head;

/* The formats that have a description, each with its dialects, those with
 * functions of their own first, the others in the order of their files' names;
 * the last one has no name. */
extern const tw_format tw_framed_formats[];
/* The heads of all of these, sorted by their bytes, each once. */
extern const tw_call_head tw_framed_heads[];
extern const size_t tw_framed_head_count;
/* The format that tw_format_at() has behind this one, which is built in; of
 * NULL the first one.  NULL: there is none.  Formats without a description
 * stand first. */
const tw_format *tw_format_next(const tw_format *format);

#define TW_MARKER_TEXT(text) text, sizeof(text) - 1

#endif
