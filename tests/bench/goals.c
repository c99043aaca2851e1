/* SPDX-License-Identifier: MIT
 *
 * Each goal takes figures of this run, and is met, missed or not measured.
 */
#include "goals.h"

#include <math.h>
#include <stdbool.h>

#include "decode.h"
#include "instructions.h"
#include "measure.h"

typedef enum sense { AT_MOST, AT_LEAST } sense;

typedef struct goal {
    const char *what;
    const char *unit;
    sense asked;
    double limit;
    double value; /* NAN: not measured */
} goal;

enum { MOST_GOALS = 100 };
static goal goals[MOST_GOALS];
static size_t goal_count;
static char names[MOST_GOALS][128];

static void judge(const char *what, const char *which, const char *unit,
                  sense asked, double limit, double value)
{
    if (goal_count == MOST_GOALS) {
        return;
    }
    char *name = names[goal_count];
    snprintf(name, sizeof names[0], "%s%s%s", what, *which != 0 ? ", " : "",
             which);
    goals[goal_count++] = (goal){name, unit, asked, limit, value};
}

/* The worse of both; what was not measured stays so. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

static double smaller(double a, double b)
{
    return a <= b || isnan(a) ? a : b;
}

/* ---- decoding ----------------------------------------------------------- */

static double growth(const char *format)
{
    double worst = 0;
    for (int kind = W1; kind <= W3; kind++) {
        const char *name = workload_names[kind];
        const double near =
            figure_of("instructions/%s/%s/10000", name, format);
        worst = larger(worst,
                       figure_of("instructions/%s/%s/1000000", name, format) /
                           near);
    }
    return worst;
}

static double to_simdjson(const char *kind, const char *format)
{
    return seconds_of("%s/%s/events/0", kind, format) /
           seconds_of("%s/%s/simdjson", kind, format);
}

static double to_memchr(const char *kind, const char *format)
{
    return seconds_of("%s/%s/events/0", kind, format) /
           seconds_of("%s/%s/memchr", kind, format);
}

static double chunking(const char *kind, const char *format)
{
    return seconds_of("%s/%s/events/64", kind, format) /
           seconds_of("%s/%s/events/0", kind, format);
}

static void judge_decoding(int number)
{
    const char *format = format_names[number];
    const bool gemma = number == GEMMA4;
    const double delta = delta_of("W2/%s/events/4", format);
    judge("growth to 1 MB, instructions", format, "times", AT_MOST, 1.05,
          growth(format));
    judge("4-byte delta in W2", format, "ns", AT_MOST, 15, delta);
    judge("... beside json-c's", format, "times", AT_MOST,
          gemma ? 1.0 / 8 : 0.1, delta / delta_of("W2/%s/json-c/4", format));
    judge("W2 whole beside simdjson", format, "times", AT_MOST,
          gemma ? 1.2 : 1.1, to_simdjson("W2", format));
    judge("W3 whole beside simdjson", format, "times", AT_MOST,
          gemma ? 1.0 : 0.5, to_simdjson("W3", format));
    judge("W1 beside memchr", format, "times", AT_MOST, 3,
          to_memchr("W1", format));
    judge("W1u beside memchr", format, "times", AT_MOST, 8,
          to_memchr("W1u", format));
    judge("W2 in 64-byte deltas beside whole", format, "times", AT_MOST, 1.3,
          chunking("W2", format));
    judge("W3 in 64-byte deltas beside whole", format, "times", AT_MOST, 1.3,
          chunking("W3", format));
    judge("1-byte delta in W2", format, "ns", AT_MOST, 6,
          delta_of("W2/%s/events/1", format));
    judge("1-byte delta in W3", format, "ns", AT_MOST, 6,
          delta_of("W3/%s/events/1", format));
    judge("W4, a completion", format, "ns", AT_MOST, 300,
          delta_of("W4/%s/events/0", format));
    judge("W5 whole, the worst beside W3, instructions", format, "times",
          AT_MOST, 8, figure_of("hostile/%s/0", format));
    judge("W5 in bytes, the worst beside W3, instructions", format, "times",
          AT_MOST, 8, figure_of("hostile/%s/1", format));
}

/* ---- memory ------------------------------------------------------------- */

static double allocations(const char *format)
{
    double sum = 0;
    for (int kind = W1; kind <= W4; kind++) {
        sum += figure_of("allocations/%s/%s/events", workload_names[kind],
                         format);
    }
    return sum;
}

static double memory(const char *format)
{
    double worst = 0;
    for (int kind = W1; kind <= W4; kind++) {
        if (kind != W2D) { /* where repairs are looked for */
            worst = larger(worst, figure_of("memory/%s/%s",
                                            workload_names[kind], format));
        }
    }
    return worst;
}

static double copied(const char *format, bool arguments)
{
    double worst = larger(figure_of("copied/W1/%s", format),
                          figure_of("copied/W1u/%s", format));
    return arguments ? larger(larger(worst, figure_of("copied/W2/%s", format)),
                              figure_of("copied/W3/%s", format))
                     : worst;
}

static double of_strings(const char *what, const char *format)
{
    return larger(figure_of("%s/W2/%s", what, format),
                  figure_of("%s/W3/%s", what, format));
}

static void judge_memory(int number)
{
    /* Of a Gemma string, a comma and words may be the next key. */
    enum { DECODER = 1024 + DEPTH, SAME = 65536, LOST = 1024, STRING = 31 };
    const char *format = format_names[number];
    judge("memory of a decoder before a repair", format, "bytes", AT_MOST,
          DECODER, memory(format));
    judge("allocations behind a warm-up, events", format, "", AT_MOST, 0,
          allocations(format));
    judge("100 MB of prose beside 1 KB, peak", format, "bytes more", AT_MOST,
          SAME,
          figure_of("memory/prose-100MB/%s", format) -
              figure_of("memory/prose-1KB/%s", format));
    judge(number == GEMMA4 ? "copied in prose"
                           : "copied in prose and arguments",
          format, "bytes a byte", AT_MOST, 0.01,
          copied(format, number != GEMMA4));
    judge("held back of arguments, W2 and W3", format, "bytes", AT_MOST,
          number == GEMMA4 ? LOST : STRING, of_strings("held", format));
    judge("first argument byte, W2 and W3", format, "bytes fed", AT_MOST,
          STRING, of_strings("first", format));
}

/* ---- requests and the command ------------------------------------------- */

static void judge_encoding(const char *set)
{
    for (int i = 0; i < FORMATS; i++) {
        char which[64];
        snprintf(which, sizeof which, "%s, %s", set, format_names[i]);
        judge("encode: json-c reading beside it", which, "times", AT_LEAST, 5,
              seconds_of("encode/%s/json-c", set) /
                  seconds_of("encode/%s/%s", set, format_names[i]));
    }
}

static double beside(const char *set, const char *log, const char *ours,
                     const char *theirs)
{
    return figure_of("command/%s/%s/%s", set, log, ours) /
           figure_of("command/%s/%s/%s", set, log, theirs);
}

static void judge_command(const char *set)
{
    double jq = INFINITY;
    double python = INFINITY;
    double convert = INFINITY;
    double back = INFINITY;
    for (int i = 0; i < FORMATS; i++) {
        const char *format = format_names[i];
        jq = smaller(jq, beside(set, format, "decode", "jq"));
        python = smaller(python, beside(set, format, "decode", "python"));
        convert = smaller(convert, beside(set, format, "convert", "jq"));
        back = smaller(back, beside(set, "requests", format, "jq"));
    }
    judge("decode --jsonl beside jq -c .", set, "times", AT_LEAST, 10, jq);
    judge("decode --jsonl beside Python", set, "times", AT_LEAST, 15, python);
    judge("convert to openai beside jq -c .", set, "times", AT_LEAST, 4,
          convert);
    judge("convert from openai beside jq -c .", set, "times", AT_LEAST, 4,
          back);
}

/* ---- the list ----------------------------------------------------------- */

static void judge_all(void)
{
    if (goal_count > 0) {
        return;
    }
    for (int i = 0; i < FORMATS; i++) {
        judge_decoding(i);
    }
    for (int i = 0; i < FORMATS; i++) {
        judge_memory(i);
    }
    judge_encoding("made");
    judge_encoding("real");
    judge_command("made");
    judge_command("real");
}

static const char *verdict(const goal *its)
{
    if (isnan(its->value)) {
        return "not measured";
    }
    const bool met = its->asked == AT_MOST ? its->value <= its->limit
                                           : its->value >= its->limit;
    return met ? "met" : "NOT MET";
}

void goals_print(FILE *to)
{
    judge_all();
    fprintf(to, "%-58s %12s %15s\n", "goal", "this run", "asked for");
    for (size_t i = 0; i < goal_count; i++) {
        const goal *its = &goals[i];
        fprintf(to, "%-58s %12.5g %s %8.5g  %-12s %s\n", its->what, its->value,
                its->asked == AT_MOST ? "<=" : ">=", its->limit, its->unit,
                verdict(its));
    }
    for (int i = 0; i < FORMATS; i++) {
        fprintf(to, "worst of W5 in %s: %s, in bytes %s\n", format_names[i],
                instructions_worst(i, 0), instructions_worst(i, 1));
    }
}

void goals_print_json(FILE *to)
{
    judge_all();
    fprintf(to, "\"goals\":[");
    for (size_t i = 0; i < goal_count; i++) {
        const goal *its = &goals[i];
        fprintf(to, "%s{\"goal\":\"%s\",\"unit\":\"%s\",\"%s\":%.9g",
                i > 0 ? ",\n" : "\n", its->what, its->unit,
                its->asked == AT_MOST ? "at_most" : "at_least", its->limit);
        if (!isnan(its->value)) {
            fprintf(to, ",\"value\":%.9g", its->value);
        }
        fprintf(to, ",\"verdict\":\"%s\"}", verdict(its));
    }
    fprintf(to, "]");
}
