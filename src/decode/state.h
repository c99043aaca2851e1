/* SPDX-License-Identifier: MIT
 *
 * What decoder.c and options.c know of a decoder, and nobody else.
 */
#ifndef TOOLWIRE_DECODE_STATE_H
#define TOOLWIRE_DECODE_STATE_H

#include "core/window.h"
#include "formats/format.h"
#include "events/sink.h"
#include "decode/choice.h"
#include "decode/validate.h"
#include "decode/leading.h"
#include "decode/watch.h"

enum phase { FRESH, FEEDING, FINISHED, ENDED };

struct tw_decoder {
    tw_memory memory;
    const tw_format *format;
    tw_window window;
    tw_sink sink;
    tw_watch watch;
    tw_leading leading;
    void *state;
    tw_decode_options options;
    tw_validation *validation; /* tools or a policy were given; or NULL */
    tw_choice *choice;         /* NULL: auto */
    bool framing;              /* the caller wants FRAMING events */
    tw_error refusal; /* the last error that does not stick */
    tw_buffer path;   /* where in the tools it was */
    const tw_error *last;
    uint8_t phase;
    bool pending;  /* fed bytes are not drained */
    bool drained;  /* they are, and the next call has only to say so */
    bool primed;   /* a prompt was given */
    bool started;  /* the format has begun the message */
    bool too_long; /* more was fed than the input limit allows */
    /* What was fed is drained, nothing is held, no limit of the input is set,
     * and of the next bytes the format says what tw_advanced says. */
    uint8_t run_class;
    bool warned; /* what is said at the end was said */
    uint64_t fed;
    uint32_t finish;
    tw_event end;
    tw_advanced way;
    tw_event passed;
};

/* An error that changes nothing and does not stick. */
int tw_decoder_refuse(tw_decoder *decoder, int32_t code, const char *message);
/* Are arguments checked against the schemas of tools? */
static inline bool tw_decoder_validates(const tw_decoder *decoder)
{
    return decoder->validation != NULL && decoder->validation->policy != 0;
}

/* Refuses an option that came after a prompt, or after the first bytes. */
int tw_decoder_refuse_late(tw_decoder *decoder);

#endif
