/* SPDX-License-Identifier: MIT
 *
 * The process on two pipes: lines go in and out, each with a time limit, and a
 * dead process is started again.
 */
#define _POSIX_C_SOURCE 200809L

#include "kit/ask/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

void kit_peer_init(kit_peer *peer, const char *command, int64_t patience,
                   const tw_memory *memory)
{
    memset(peer, 0, sizeof *peer);
    peer->command = command;
    peer->patience = patience;
    peer->memory = memory;
}

static int64_t in_microseconds(clockid_t clock)
{
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static int64_t now(void)
{
    return in_microseconds(CLOCK_MONOTONIC) / 1000;
}

/* The work of the process, which a busy machine does not make more. */
static int64_t work(const kit_peer *peer)
{
    clockid_t clock;
    return clock_getcpuclockid(peer->process, &clock) == 0
               ? in_microseconds(clock)
               : 0;
}

/* Has the peer ended?  A peer that has is not reaped, so that its number stays
 * its own. */
static bool has_ended(const kit_peer *peer, int64_t patience)
{
    const struct timespec pause = {0, 1000000};
    const int64_t end = now() + patience;
    for (;;) {
        siginfo_t its;
        its.si_pid = 0;
        if (waitid(P_PID, (id_t)peer->process, &its,
                   WEXITED | WNOHANG | WNOWAIT) == 0 &&
            its.si_pid != 0) {
            return true;
        }
        if (now() >= end) {
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

typedef enum ending {
    AT_ONCE,
    BY_ITSELF, /* it is given its patience to ... */
    ASKED      /* ... when it is told that there are no more questions */
} ending;

/* True: it ended by itself. */
static bool stop(kit_peer *peer, ending how)
{
    if (peer->process == 0) {
        return true;
    }
    if (how == ASKED) {
        close(peer->to);
    }
    const bool ended = has_ended(peer, how == AT_ONCE ? 0 : peer->patience);
    kill(-peer->process, SIGKILL); /* what it started, too */
    while (waitpid(peer->process, &peer->status, 0) < 0 && errno == EINTR) {
        continue;
    }
    if (how != ASKED) {
        close(peer->to);
    }
    close(peer->from);
    peer->process = 0;
    peer->lines.size = 0;
    if (peer->watch != NULL) {
        peer->watch(0);
    }
    return ended;
}

void kit_peer_restart(kit_peer *peer)
{
    stop(peer, AT_ONCE);
}

void kit_peer_free(kit_peer *peer)
{
    stop(peer, ASKED);
    tw_buffer_free(&peer->lines, peer->memory);
}

/* The child: its own group, so that what it starts ends with it. */
static void become(const char *command, const int in[2], const int out[2])
{
    setpgid(0, 0);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static bool start(kit_peer *peer)
{
    int in[2];
    int out[2];
    /* A socket: a send to a parser that died raises no signal. */
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, in) != 0) {
        return false;
    }
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    const pid_t process = fork();
    if (process == 0) {
        become(peer->command, in, out);
    }
    close(in[0]);
    close(out[1]);
    if (process < 0) {
        close(in[1]);
        close(out[0]);
        return false;
    }
    setpgid(process, process);
    fcntl(in[1], F_SETFD, FD_CLOEXEC);
    fcntl(out[0], F_SETFD, FD_CLOEXEC);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    peer->process = process;
    peer->to = in[1];
    peer->from = out[0];
    if (peer->watch != NULL) {
        peer->watch(process);
    }
    return true;
}

/* Writes what can be written; false: the other end is gone. */
static bool send_some(kit_peer *peer, const char **line, size_t *size)
{
    const ssize_t done = send(peer->to, *line, *size, MSG_NOSIGNAL);
    if (done > 0) {
        *line += done;
        *size -= (size_t)done;
    }
    return done >= 0 || errno == EAGAIN || errno == EINTR;
}

static ssize_t read_some(kit_peer *peer)
{
    if (!tw_buffer_reserve(&peer->lines, peer->memory, PIECE)) {
        return -2;
    }
    const ssize_t got =
        read(peer->from, peer->lines.data + peer->lines.size, PIECE);
    if (got > 0) {
        peer->lines.size += (size_t)got;
    }
    return got;
}

static kit_reply talk(kit_peer *peer, int64_t patience, const char *line,
                      size_t size)
{
    const int64_t end = now() + patience;
    while (memchr(peer->lines.size > 0 ? (const char *)peer->lines.data : "",
                  '\n', peer->lines.size) == NULL) {
        struct pollfd files[2] = {{peer->from, POLLIN, 0},
                                  {size > 0 ? peer->to : -1, POLLOUT, 0}};
        const int64_t left = end - now();
        if (left <= 0) {
            return KIT_TIMED_OUT;
        }
        if (poll(files, 2, (int)(left < INT_MAX ? left : INT_MAX)) < 0) {
            continue;
        }
        if (files[1].revents != 0 && !send_some(peer, &line, &size)) {
            return KIT_DIED;
        }
        if (files[0].revents != 0) {
            const ssize_t got = read_some(peer);
            if (got == 0 || got == -2) {
                return got == 0 ? KIT_DIED : KIT_NO_MEMORY;
            }
        }
    }
    return KIT_ANSWERED;
}

bool kit_peer_runs(const kit_peer *peer)
{
    return peer->process != 0;
}

kit_reply kit_peer_ask(kit_peer *peer, int64_t patience, const char *line,
                       size_t size, const char **answer, size_t *answer_size)
{
    if (peer->process == 0 && !start(peer)) {
        return KIT_CANNOT_START;
    }
    peer->lines.size = 0;
    const int64_t begin = in_microseconds(CLOCK_MONOTONIC);
    const int64_t before = work(peer);
    const kit_reply reply = talk(peer, patience, line, size);
    const int64_t worked = work(peer) - before;
    /* A shell that waits for its command does nothing itself. */
    peer->took = in_microseconds(CLOCK_MONOTONIC) - begin;
    peer->worked = worked > 0 ? worked : peer->took;
    if (reply != KIT_ANSWERED) {
        /* The peer may live on with its output closed, or have left a child
         * that keeps the output open. */
        const bool ended = stop(peer, reply == KIT_DIED ? BY_ITSELF : AT_ONCE);
        return reply == KIT_NO_MEMORY ? reply
               : ended                ? KIT_DIED
                                      : KIT_TIMED_OUT;
    }
    peer->answers = true;
    const char *text = (const char *)peer->lines.data;
    *answer = text;
    *answer_size =
        (size_t)((const char *)memchr(text, '\n', peer->lines.size) - text);
    peer->says_more = peer->lines.size > *answer_size + 1;
    return KIT_ANSWERED;
}
