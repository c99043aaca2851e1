/* SPDX-License-Identifier: MIT
 *
 * naive_print FORMAT [--start-reasoning] [--recover-stripped] [--tools a,b]
 *
 * Decodes standard input as one whole output and prints the message as one
 * line of JSON, for debugging.
 */
#include "naive/naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- JSON out ---------------------------------------------------------- */

static void print_string(const naive_bytes *bytes)
{
    naive_bytes text = {0};

    naive_add_utf8(&text, bytes->data, bytes->size);
    putchar('"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
    naive_release(&text);
}

static void print_optional(const char *key, const naive_bytes *bytes,
                           bool is_present)
{
    printf("\"%s\":", key);
    if (is_present)
        print_string(bytes);
    else
        printf("null");
}

static void print_calls(const naive_message *message)
{
    printf(",\"tool_calls\":[");
    for (size_t i = 0; i < message->call_count; i++) {
        const naive_call *call = &message->calls[i];

        printf("%s{\"name\":", i ? "," : "");
        print_string(&call->name);
        printf(",\"id\":");
        print_string(&call->id);
        printf(",\"custom\":%s,\"arguments\":",
               call->custom ? "true" : "false");
        print_string(&call->arguments);
        putchar('}');
    }
    putchar(']');
}

static void print_unparsed(const naive_message *message)
{
    printf(",\"unparsed\":[");
    for (size_t i = 0; i < message->unparsed_count; i++) {
        const naive_unparsed *unparsed = &message->unparsed[i];

        printf("%s{\"offset\":%zu,\"size\":%zu,\"reason\":\"%s\",",
               i ? "," : "", unparsed->offset, unparsed->size,
               unparsed->reason);
        print_optional("name", &unparsed->name, unparsed->name.size > 0);
        putchar('}');
    }
    putchar(']');
}

static void print_diagnostics(const naive_message *message)
{
    printf(",\"diagnostics\":[");
    for (size_t i = 0; i < message->diagnostic_count; i++) {
        const naive_diagnostic *diagnostic = &message->diagnostics[i];

        printf("%s{\"code\":\"%s\",\"offset\":%zu,\"size\":%zu}",
               i ? "," : "", diagnostic->code, diagnostic->offset,
               diagnostic->size);
    }
    putchar(']');
}

static void print_message(const naive_message *message)
{
    putchar('{');
    print_optional("content", &message->content, message->has_content);
    putchar(',');
    print_optional("reasoning", &message->reasoning, message->has_reasoning);
    print_calls(message);
    print_unparsed(message);
    print_diagnostics(message);
    printf("}\n");
}

/* --- what is asked ----------------------------------------------------- */

/* Cuts |list| at its commas; the names stay in |list|. */
static const char **split_names(char *list, size_t *count)
{
    const char **names = calloc(strlen(list) + 1, sizeof *names);

    if (!names)
        abort();
    *count = 0;
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
        names[(*count)++] = name;
    return names;
}

static bool read_options(int argc, char **argv, naive_options *options,
                         const char ***tools)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--start-reasoning") == 0) {
            options->start_reasoning = true;
        } else if (strcmp(argv[i], "--recover-stripped") == 0) {
            options->recover_stripped = true;
        } else if (strcmp(argv[i], "--tools") == 0 && i + 1 < argc) {
            free(*tools);
            *tools = split_names(argv[++i], &options->tool_count);
            options->tools = *tools;
            options->has_tools = true;
        } else {
            return false;
        }
    }
    return true;
}

static void read_all(naive_bytes *text)
{
    char buffer[4096];
    size_t size;

    naive_add(text, "", 0);
    while ((size = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        naive_add(text, buffer, size);
}

int main(int argc, char **argv)
{
    const naive_oracle *naive = argc > 1 ? naive_of(argv[1]) : NULL;
    naive_options options = {0};
    naive_message message = {0};
    const char **tools = NULL;
    naive_bytes text = {0};
    bool is_valid = naive && read_options(argc, argv, &options, &tools);

    if (is_valid) {
        read_all(&text);
        naive_decode(naive, &options, text.data, text.size, &message);
        print_message(&message);
    } else {
        fprintf(stderr, "usage: naive_print FORMAT [--start-reasoning] "
                        "[--recover-stripped] [--tools a,b,c] < text\n");
    }
    naive_message_release(&message);
    naive_release(&text);
    free(tools);
    return is_valid ? 0 : 2;
}
