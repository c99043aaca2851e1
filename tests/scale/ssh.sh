#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# docs/scaling.md: threads, processes, and machines by SSH, which are two
# servers of this machine, with keys and ports of their own.
# Use: tests/scale/ssh.sh PATH-OF-TOOLWIRE
# shellcheck source=tests/scale/common.sh
. "$(dirname "$0")/common.sh"

servers=()
clean() {
    local pid
    for pid in "${servers[@]}"; do
        kill "$pid" 2>/dev/null && wait "$pid"
    done
    rm -rf "$work"
}
trap clean EXIT
sshd=$(command -v sshd || command -v /usr/sbin/sshd) || sshd=sshd
require "$sshd" openssh-server
require ssh openssh-client
require parallel parallel

# ---- two servers -----------------------------------------------------------

keys=$work/keys
(umask 077 && mkdir "$keys" "$work/parallel")
ssh-keygen -q -t ed25519 -N '' -f "$keys/client" &&
    ssh-keygen -q -t ed25519 -N '' -f "$keys/server"
verdict 'throw-away keys' $?
# The folder that sshd wants when it is root.
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p /run/sshd
fi

# serve NAME: on a port that is free; NAME is known to ssh then.
serve() {
    local name=$1 port
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 40000))
        cat >"$keys/$name.conf" <<END
ListenAddress 127.0.0.1
Port $port
HostKey $keys/server
AuthorizedKeysFile $keys/client.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
SetEnv PATH=$work/bin:/usr/bin:/bin
END
        "$sshd" -D -e -f "$keys/$name.conf" 2>"$keys/$name.log" &
        local pid=$!
        cat >>"$keys/ssh.conf" <<END
Host $name
HostName 127.0.0.1
Port $port
User $(id -un)
IdentityFile $keys/client
IdentitiesOnly yes
IdentityAgent none
UserKnownHostsFile $keys/known
StrictHostKeyChecking accept-new
GlobalKnownHostsFile /dev/null
BatchMode yes
LogLevel ERROR
END
        for _ in {1..600}; do
            if ssh -F "$keys/ssh.conf" "$name" true 2>"$work/log"; then
                servers+=("$pid")
                return 0
            fi
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill "$pid" 2>/dev/null
        sed -i "/^Host $name\$/,\$d" "$keys/ssh.conf"
        grep -q 'Address already in use' "$keys/$name.log" || break
    done
    cat "$keys/$name.log" >>"$work/log"
    return 1
}

logins() { grep -c 'Accepted publickey' "$keys/$1.log"; }

for name in one two; do
    serve $name
    verdict "an SSH server, $name" $?
done
export PARALLEL_SSH="ssh -F $keys/ssh.conf" PARALLEL_HOME=$work/parallel
: >"$work/parallel/will-cite"
mkdir "$work/tmp"
export TMPDIR=$work/tmp

# ---- the recipes -----------------------------------------------------------

for name in threads processes machines; do
    before="$(logins one) $(logins two)"
    run $name
    fine "$name"
    same "$name" "$work/out.jsonl" "$work/whole.jsonl"
done
[ "$(logins one)" -gt "${before% *}" ] && [ "$(logins two)" -gt "${before#* }" ]
verdict 'machines: both had a part' $?

# Bad records: their lines are there, and the exit code counts the blocks.
for name in threads processes machines; do
    recipe $name >/dev/null
    sed "s|log\.jsonl|bad.jsonl|" "$work/recipe" >"$work/recipe-bad"
    bash "$work/recipe-bad" >"$work/log" 2>&1 </dev/null
    status=$?
    [ "$status" -eq 1 ]
    verdict "$name: bad records: exit code 1, not $status" $?
    same "$name: bad records" "$work/out.jsonl" "$work/whole-bad.jsonl"
done

# ---- a machine that is lost ------------------------------------------------

# The first two processes die in the middle of their work.
cat >"$work/bin/dying" <<END
#!/bin/sh
if mkdir "$work/died-1" 2>/dev/null || mkdir "$work/died-2" 2>/dev/null; then
    head -c 100000 | "$work/bin/toolwire" "\$@"
    exit 255
fi
exec "$work/bin/toolwire" "\$@"
END
chmod 755 "$work/bin/dying"
recipe lost >/dev/null
sed -i 's/^    toolwire /    dying /' "$work/recipe"
bash "$work/recipe" >"$work/log" 2>&1 </dev/null
status=$?
fine 'lost'
[ -d "$work/died-2" ]
verdict 'lost: two processes died' $?
same 'lost' "$work/out.jsonl" "$work/whole.jsonl"

# One of the two is not there at all.
kill "${servers[1]}" && wait "${servers[1]}"
! ssh -F "$keys/ssh.conf" two true 2>/dev/null
verdict 'lost: nobody answers' $?
run lost
fine 'lost, nobody answers'
same 'lost, nobody answers' "$work/out.jsonl" "$work/whole.jsonl"

finish
