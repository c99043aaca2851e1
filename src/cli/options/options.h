/* SPDX-License-Identifier: MIT
 *
 * The command line: one table of all options, and what they say.
 */
#ifndef TOOLWIRE_CLI_OPTIONS_OPTIONS_H
#define TOOLWIRE_CLI_OPTIONS_OPTIONS_H

#include "cli/files/io.h"
#include "toolwire.h"

typedef struct cli_options cli_options;

/* Of SETTINGS and TEXTS: above all numbers of tw_option and tw_text. */
enum { CLI_SETS = 32, CLI_LOADED = 3, CLI_SETTINGS = 128, CLI_TEXTS = 32 };

enum {
    CLI_DECODE = 1,
    CLI_STREAM = 2,
    CLI_CHECK = 4,
    CLI_FORMATS = 8,
    CLI_EXPLAIN = 16,
    CLI_ENCODE = 32,
    CLI_CONVERT = 64,
    CLI_GEN = 128,
    CLI_TEST = 256,
    CLI_COMPLETION = 512,
    CLI_HELP = 1024,
    CLI_CHECK_FORMAT = 2048,
    CLI_DETECT = 4096,
    CLI_INSPECT = 8192,
    CLI_GRAMMAR = 16384,
    CLI_EXTEND = 32768,
    CLI_ALL = 65535,
    CLI_READS_FILES = CLI_DECODE | CLI_STREAM | CLI_CHECK | CLI_ENCODE |
                      CLI_EXTEND | CLI_CONVERT | CLI_DETECT | CLI_INSPECT,
    CLI_REWRITES =
        CLI_DECODE | CLI_STREAM | CLI_ENCODE | CLI_EXTEND | CLI_CONVERT
};

/* For which there are streams, in the order of their shapes. */
#define CLI_APIS "chat|responses|anthropic"

/* For which there are completions. */
#define CLI_SHELLS "bash|zsh|fish"

typedef struct cli_command {
    const char *name;
    unsigned bit; /* one of the above */
    int (*run)(const cli_options *);
    int most;             /* operands */
    const char *operands; /* in the help */
    const char *about;
} cli_command;

/* A value for the library, and how the command line spelled its option; NULL:
 * the option was not given. */
typedef struct cli_setting {
    int64_t value;
    const char *name;
} cli_setting;

typedef struct cli_text {
    const char *value;
    const char *name;
} cli_text;

struct cli_options {
    const cli_command *command;
    const char *format_name;
    const tw_format *format;
    const tw_format *to_format;    /* convert's other end, if it is one */
    const tw_format *wire;         /* of text inside records, or NULL */
    tw_format *loaded[CLI_LOADED]; /* the formats that come from files, */
    const char *loaded_from[CLI_LOADED]; /* and the files */
    const char *output;
    const char *tools;
    const char *prompt_tail;
    const char *field;
    const char *report;
    const char *template_path;
    const char *template_name;
    bool told_by_template; /* the format was */
    const char *rejects;
    const char *to; /* convert's other end */
    const char *target;   /* of grammars; NULL: the first one */
    const char *choice;   /* of a tool, or NULL */
    const char *parallel; /* "0", or there may be several calls */
    const char *special_tokens; /* a file, or NULL */
    bool wider;
    bool help;
    bool jsonl;
    bool sse;
    bool from_sse;
    bool events;
    bool join;
    bool segments;
    bool spans;
    bool stats;
    bool transcript;
    bool all;
    bool json;
    bool for_model;
    bool html;
    tw_finish finish;
    const char *api_name; /* NULL: none was named */
    tw_shape api;
    size_t chunk; /* 0: as it comes */
    size_t jobs;
    size_t max_record;
    size_t show;  /* lines of one code */
    size_t count; /* of cases */
    size_t seed;
    size_t patience;  /* seconds */
    const char *kind; /* the class of cases; NULL: all in turn */
    const char *cmd;
    const char *grammar;   /* the command that is tested in place of |cmd| */
    const char *templates; /* likewise */
    const char *cases;     /* a file of them, or NULL */
    bool yaml;             /* cases are written so */
    const char *leave_out; /* verdicts, with commas between, or NULL */
    cli_setting settings[CLI_SETTINGS]; /* by tw_option */
    cli_text texts[CLI_TEXTS];          /* by tw_text */
    const char *sets[CLI_SETS]; /* KEY=VALUE */
    size_t set_count;
    char **operands;
    int operand_count;
};

/* A row of the table. */
typedef struct cli_option {
    const char *name;     /* without its dashes */
    char letter;          /* its short form, or 0 */
    const char *argument; /* as the help names it, or NULL: it takes none;
                             "a|b" lists the words that it takes */
    unsigned commands;    /* that take it */
    int (*take)(cli_options *, const struct cli_option *, const char *);
    size_t detail;     /* for |take| */
    const char *about; /* lines of the help */
} cli_option;

/* Rows of the table that are grammars' alone. */
enum { CLI_GRAMMAR_ROWS = 5 };
extern const cli_option cli_grammar_rows[CLI_GRAMMAR_ROWS];

/* The i-th option, NULL behind the last. */
const cli_option *cli_option_at(size_t i);

/* |arguments[0]| is the command's name.  Anything but CLI_FINE: it was said
 * what is wrong. */
int cli_options_read(cli_options *options, const cli_command *command,
                     int count, char **arguments);
/* The one operand, or NULL. */
const char *cli_operand(const cli_options *options);
/* Whatever was said of them. */
void cli_options_drop(cli_options *options);

#endif
