/* SPDX-License-Identifier: MIT
 *
 * What a signal that ends the command takes with it.
 */
#ifndef TOOLWIRE_CLI_FILES_SIGNALS_H
#define TOOLWIRE_CLI_FILES_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* A temporary file, which such a signal removes; |name| lives until it is
 * spared. */
void cli_doom(char *name);
void cli_spare(const char *name);
/* The process group that such a signal ends; 0: none. */
void cli_doom_group(pid_t group);

/* Keeps those signals from this thread, and from the threads that it makes,
 * until cli_signals_restore(). */
void cli_signals_block(sigset_t *before);
void cli_signals_restore(const sigset_t *before);

/* From now on the first of SIGHUP, SIGINT and SIGTERM takes nothing, and only
 * asks to stop: which one did, or 0.  A second one comes as always. */
void cli_signals_hold(void);
int cli_signals_asked(void);
/* "SIGTERM" of the one that did. */
const char *cli_signals_name(void);
/* Ends the process by the signal that asked, if one did. */
void cli_signals_end(void);
/* Waits until |file| can be read; false: a signal asks to stop, or did. */
bool cli_signals_wait(int file);

#endif
