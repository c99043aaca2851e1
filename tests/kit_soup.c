/* SPDX-License-Identifier: MIT
 *
 * The kit finds nothing wrong with toolwire: its cases of each class are put
 * to toolwire's own decoder, in this process.
 * Use: kit_soup FORMAT COUNT SEED
 * where FORMAT may be *, all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/ask/question.h"
#include "kit/ask/trial.h"

static bool print_findings(kit_trial *trial, const kit_case *one)
{
    tw_json_out line = {.memory = trial->memory};
    for (size_t i = 0; i < trial->findings.count; i++) {
        const kit_finding *its = &trial->findings.all[i];
        printf("%s: %s: %s\n", one->id, kit_verdict_name(its->verdict),
               its->what);
    }
    kit_jot_case(&line, &trial->scratch, one);
    printf("%.*s\n", (int)line.out.size, (const char *)line.out.data);
    printf("got %.*s\n", (int)trial->evidence[trial->ways[0]].got.size,
           (const char *)trial->evidence[trial->ways[0]].got.data);
    tw_buffer_free(&line.out, line.memory);
    return false;
}

/* How many cases have a finding. */
static size_t soup(const tw_format *format, uint64_t count, uint64_t seed,
                   size_t *made)
{
    const tw_memory memory = tw_memory_from(NULL);
    kit_maker maker;
    kit_peer peer;
    kit_trial trial;
    kit_case one;
    size_t found = 0;
    kit_peer_init(&peer, NULL, 1000, &memory);
    kit_case_init(&one);
    if (!kit_maker_init(&maker, &memory, format, seed)) {
        abort();
    }
    kit_trial_init(&trial, &maker, &peer, &memory);
    for (uint64_t i = 0; i < count; i++) {
        /* Long ones are few: it is what they mean that is looked at here. */
        const kit_class kind = i % 500 == 499 ? KIT_LONG
                               : i % KIT_CLASSES == KIT_LONG
                                   ? KIT_RARE
                                   : (kit_class)(i % KIT_CLASSES);
        if (kit_make(&maker, &one, kind, i)) {
            ++*made;
            found += kit_try(&trial, &one) ? 1 : 0;
            if (trial.findings.count > 0 && found <= 3) {
                print_findings(&trial, &one);
            }
        }
        if (trial.failed || maker.failed) {
            printf("%s: %s\n", one.id, trial.why != NULL ? trial.why : "?");
            abort();
        }
    }
    kit_case_free(&one, &memory);
    kit_trial_free(&trial);
    kit_peer_free(&peer);
    kit_maker_free(&maker);
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "use: %s FORMAT COUNT SEED\n", argv[0]);
        return 2;
    }
    const tw_format *format;
    size_t found = 0;
    size_t made = 0;
    for (size_t i = 0; (format = tw_format_at(i)) != NULL; i++) {
        if (strcmp(argv[1], "*") == 0 ||
            strcmp(argv[1], tw_format_name(format)) == 0) {
            const size_t its = soup(format, strtoull(argv[2], NULL, 10),
                                    strtoull(argv[3], NULL, 10), &made);
            found += its;
            if (its > 0) {
                printf("%s: %zu findings\n", tw_format_name(format), its);
            }
        }
    }
    printf("%zu cases, %zu with findings\n", made, found);
    return found > 0 || made == 0 ? 1 : 0;
}
