/* SPDX-License-Identifier: MIT
 *
 * An encoder from inside: a request is written, whole or up to one of its
 * messages, and then ended.
 */
#ifndef TOOLWIRE_ENCODE_INSIDE_H
#define TOOLWIRE_ENCODE_INSIDE_H

#include "encode/back.h"
#include "encode/episode.h"
#include "formats/format.h"
#include "messages/conversation.h"
#include "messages/segments.h"
#include "template/loaded.h"
#include "template/spans.h"

struct tw_encoder {
    tw_memory memory;
    const tw_format *format;      /* NULL: of a template alone */
    const tw_template *template_; /* or NULL */
    tw_template *own;             /* the same, of the format's prompts, or
                                     NULL */
    bool completes;               /* one message, which no template writes */
    tw_rendering rendering;       /* of the template */
    tw_spans spans;               /* of its prompt */
    bool has_spans;
    tw_sampling sampling;
    tw_buffer markers;            /* tw_marker: the format's and its own */
    int64_t now;                  /* that the template shows */
    tw_conversation conversation;
    tw_segments segments;
    tw_back back;
    tw_tree settings;
    int64_t generation_prompt; /* -1: as the request says */
    uint32_t ids;              /* tw_ids_policy */
    bool ready;                /* there is a prompt */
    tw_segment segment;
    tw_error error;
    const tw_value *where; /* of the error; NULL: nowhere */
    const tw_value *tools; /* that readers of the message know; or NULL */
    tw_error report;
    tw_buffer message; /* the template's own */
    tw_tree request;   /* one made here */
    /* Of tw_encoder_extend(). */
    tw_episode episode;
    tw_buffer prompt; /* the one before the turn */
    tw_buffer turn;   /* the one that ends with it */
    tw_buffer error_path;
    tw_buffer report_path;
};

/* The path of |where| in |path|, ended by NUL; NULL: nowhere, or no memory. */
const char *tw_encoder_path(tw_encoder *encoder, tw_buffer *path,
                            const tw_value *where);
/* Sets the error, and returns |code|. */
int tw_encoder_fail(tw_encoder *encoder, int32_t code, const tw_value *where,
                    uint64_t offset, const char *message);
/* Puts the conversation into the segments: as its request wants it, up to
 * where markers that data made are looked for.  TW_OK or the error. */
int tw_encoder_put(tw_encoder *encoder);
/* What of that a template does, ours or another's. */
int tw_encoder_render(tw_encoder *encoder);
/* The rest.  TW_OK or the error; then there are no segments. */
int tw_encoder_end(tw_encoder *encoder);

#endif
