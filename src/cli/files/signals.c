/* SPDX-License-Identifier: MIT
 *
 * No temporary file stays when a signal ends the command, however many come,
 * at whatever moment: one thread takes them, and a file is made and named here
 * while they wait.  Who works through a log may finish the record that is at
 * hand first.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "cli/files/signals.h"

/* The output, what was rejected, a report; and a parser under test.  A handler
 * can reach nothing but globals. */
enum { TEMPORARIES = 3 };
static char *volatile doomed[TEMPORARIES];
static volatile pid_t doomed_group; /* 0: none; written in one piece */
static volatile sig_atomic_t holds;
static volatile sig_atomic_t asked; /* 0: nobody did */

static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                              SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static void fill(sigset_t *all)
{
    sigemptyset(all);
    for (size_t i = 0; i < NUMBERS; i++) {
        sigaddset(all, numbers[i]);
    }
}

static bool may_ask(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGTERM;
}

/* The others wait until this is done. */
static void take(int number)
{
    if (holds && asked == 0 && may_ask(number)) {
        asked = number;
        return;
    }
    for (size_t i = 0; i < TEMPORARIES; i++) {
        char *const name = doomed[i];
        if (name != NULL) {
            unlink(name);
        }
    }
    if (doomed_group != 0) {
        kill(-doomed_group, SIGKILL);
    }
    signal(number, SIG_DFL);
    raise(number); /* it waits, too: it ends the process on return */
}

/* A signal that someone has set to be ignored stays ignored. */
static void handle(bool some)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = some ? take : SIG_DFL;
    fill(&action.sa_mask);
    for (size_t i = 0; i < NUMBERS; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

static void handle_what_is_left(void)
{
    bool some = doomed_group != 0 || holds;
    for (size_t i = 0; i < TEMPORARIES; i++) {
        some |= doomed[i] != NULL;
    }
    handle(some);
}

static void replace(const char *old, char *name)
{
    size_t i = 0;
    while (i < TEMPORARIES && doomed[i] != old) {
        i++;
    }
    if (i < TEMPORARIES) {
        doomed[i] = name;
    }
    handle_what_is_left();
}

void cli_doom(char *name)
{
    replace(NULL, name);
}

void cli_spare(const char *name)
{
    replace(name, NULL);
}

void cli_doom_group(pid_t group)
{
    doomed_group = group;
    handle_what_is_left();
}

void cli_signals_block(sigset_t *before)
{
    sigset_t all;
    fill(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

void cli_signals_restore(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

void cli_signals_hold(void)
{
    holds = true;
    handle_what_is_left();
}

int cli_signals_asked(void)
{
    return asked;
}

const char *cli_signals_name(void)
{
    return asked == SIGHUP ? "SIGHUP" : asked == SIGINT ? "SIGINT" : "SIGTERM";
}

void cli_signals_end(void)
{
    if (asked != 0) {
        signal(asked, SIG_DFL);
        raise(asked);
    }
}

/* A signal that comes between the look and the wait would go unseen: they are
 * kept away until the wait lets them in. */
bool cli_signals_wait(int file)
{
    sigset_t before;
    bool ready = !holds || file >= FD_SETSIZE;
    if (ready) {
        return asked == 0;
    }
    cli_signals_block(&before);
    while (!ready && asked == 0) {
        fd_set files;
        FD_ZERO(&files);
        FD_SET(file, &files);
        ready = pselect(file + 1, &files, NULL, NULL, NULL, &before) != -1 ||
                errno != EINTR;
    }
    cli_signals_restore(&before);
    return asked == 0;
}
