/* SPDX-License-Identifier: MIT
 *
 * What an encoder says of the last request: its error, and what was lost.
 */
#include "encode/inside.h"

const tw_error *tw_encoder_error(const tw_encoder *encoder)
{
    static const tw_error none = {TW_OK, 0, 0,
                                  "NULL is no encoder: of a format that is "
                                  "NULL there is none",
                                  NULL};
    return encoder != NULL ? &encoder->error : &none;
}

const char *tw_encoder_path(tw_encoder *encoder, tw_buffer *path,
                            const tw_value *where)
{
    path->size = 0;
    return where != NULL && tw_value_path(path, &encoder->memory, where) &&
                   tw_buffer_append(path, &encoder->memory, "", 1)
               ? (const char *)path->data
               : NULL;
}

int tw_encoder_fail(tw_encoder *encoder, int32_t code, const tw_value *where,
                    uint64_t offset, const char *message)
{
    if (encoder != NULL) {
        const char *path =
            tw_encoder_path(encoder, &encoder->error_path, where);
        const tw_error error = {code, 0, offset, message, path};
        encoder->error = error;
        encoder->where = where;
    }
    return code;
}

const tw_lost *tw_encoder_lost(const tw_encoder *encoder, size_t i)
{
    const tw_losses *losses = &encoder->segments.losses;
    return encoder->ready && i < tw_losses_count(losses)
               ? tw_losses_at(losses, i)
               : NULL;
}

const tw_value *tw_encoder_where(const tw_encoder *encoder)
{
    return encoder->where;
}

int tw_encoder_report(tw_encoder *encoder, size_t i, const tw_error **report)
{
    const tw_lost *lost =
        encoder != NULL && report != NULL ? tw_encoder_lost(encoder, i) : NULL;
    if (lost == NULL) {
        return 0;
    }
    encoder->report = tw_lost_error(
        TW_OK, lost,
        tw_encoder_path(encoder, &encoder->report_path, lost->where));
    *report = &encoder->report;
    return 1;
}
