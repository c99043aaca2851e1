/* SPDX-License-Identifier: MIT
 *
 * Losses are counted, the first is remembered, and each goes to the report if
 * there is one.
 */
#include "cli/records/losses.h"

#include <string.h>

#include "cli/files/print.h"
#include "cli/records/session.h"

void cli_losses_add(cli_losses *losses, cli_output *report, const char *file,
                    uint64_t line, const tw_error *loss)
{
    const tw_loss *row = tw_loss_get((uint32_t)loss->detail);
    losses->counts[row->severity]++;
    if (row->severity >= TW_SEVERITY_CALL && losses->code == 0) {
        const char *path = loss->path != NULL ? loss->path : "";
        const size_t size = strlen(path);
        const size_t most = sizeof losses->path - 1;
        losses->code = row->code;
        losses->file = file;
        losses->line = line;
        memcpy(losses->path, path, size < most ? size : most);
        losses->path[size < most ? size : most] = '\0';
    }
    if (report != NULL) {
        cli_put_report(report, file, line, loss);
    }
}

void cli_losses_pour(cli_losses *losses, const cli_losses *more)
{
    if (losses->code == 0 && more->code != 0) {
        const cli_losses before = *losses;
        *losses = *more;
        memcpy(losses->counts, before.counts, sizeof losses->counts);
    }
    for (size_t i = 0; i < CLI_SEVERITIES; i++) {
        losses->counts[i] += more->counts[i];
    }
}

static bool has_policy(const cli_options *options)
{
    return options->settings[TW_OPTION_LOSS].name != NULL;
}

void cli_losses_say(const cli_losses *losses, const cli_options *options)
{
    if (losses->code == 0 || options->report != NULL || has_policy(options)) {
        return;
    }
    const tw_loss *row = tw_loss_get(losses->code);
    cli_say("%s: lost: %llu of content, %llu of calls, %llu details; first "
            "%s:%llu: %s: %s (--report FILE lists all, --loss refuses or "
            "ignores them)",
            options->command->name,
            (unsigned long long)losses->counts[TW_SEVERITY_CONTENT],
            (unsigned long long)losses->counts[TW_SEVERITY_CALL],
            (unsigned long long)losses->counts[TW_SEVERITY_DETAIL],
            losses->file, (unsigned long long)losses->line, losses->path,
            row->name);
}
