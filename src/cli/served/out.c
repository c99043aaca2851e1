/* SPDX-License-Identifier: MIT
 *
 * Events out, as they came or as chunks that were made of them.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>

#include "cli/files/print.h"
#include "cli/served/served.h"

void served_end_event(served *self)
{
    cli_put_text(&self->output, self->lines ? "\n" : "");
    self->lines = self->data = false;
}

void served_put_line(served *self, const char *data, size_t size)
{
    cli_put(&self->output, data, size);
    cli_put_text(&self->output, "\n");
    self->lines = true;
}

/* An event has one JSON text here. */
static void begin_data(served *self)
{
    if (self->data) {
        served_end_event(self);
    }
    cli_put_text(&self->output, "data: ");
    self->data = true;
}

/* An event's, in as many lines as they have. */
void served_put_data(served *self, const char *data, size_t size)
{
    const char *feed;
    begin_data(self);
    while ((feed = memchr(data, '\n', size)) != NULL) {
        const size_t length = (size_t)(feed - data);
        served_put_line(self, data, length);
        cli_put_text(&self->output, "data: ");
        data += length + 1;
        size -= length + 1;
    }
    served_put_line(self, data, size);
}

static void put_member(served *self, const char *before, const char *value)
{
    cli_put_text(&self->output, before);
    cli_put_string(&self->output, value);
}

/* As servers put errors into streams. */
void served_put_error(served *self, const tw_error *error)
{
    cli_output *output = &self->output;
    begin_data(self);
    put_member(self, "{\"error\":{\"code\":", tw_error_name(error->code));
    cli_put_text(output, ",\"line\":");
    cli_put_number(output, self->line);
    cli_put_text(output, ",\"offset\":");
    cli_put_number(output, error->offset);
    if (error->path != NULL) {
        put_member(self, ",\"path\":", error->path);
    }
    put_member(self, ",\"message\":", error->message);
    if (self->now != NULL) {
        cli_put_text(output, ",\"data\":");
        cli_put_json(output, self->now, self->now_size);
    }
    cli_put_text(output, "}}\n");
    self->lines = true;
    self->bad = true;
}
