#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# README.md's two commands where nothing is installed: in a Debian 12 made for
# this by mmdebstrap, with `make` and what is committed; where that cannot be
# made, in a clone that sees only programs of the packages in the Makefile.
# Use: tests/clean.sh [--clone] TARGET..., such as demo check
set -uo pipefail
export LC_ALL=C

method=debian
if [ "${1-}" = --clone ]; then
    method=clone
    shift
fi
if [ $# -eq 0 ]; then
    echo "use: $0 [--clone] TARGET..." >&2
    exit 2
fi
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
if [ -n "$(git -C "$root" status --porcelain)" ]; then
    echo "clean: what is not committed is not tried" >&2
fi
git clone -q --no-local --depth 1 "file://$root" "$work/toolwire" || exit 1

# in_debian TARGETS: as this machine reaches its mirror, if it is a Debian 12.
in_debian() {
    local sources=()
    apt-config dump Acquire >"$work/apt.conf"
    if grep -q '^VERSION_CODENAME=bookworm$' /etc/os-release; then
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
            /etc/apt/sources.list.d/*.sources; do
            [ ! -s "$file" ] || sources+=("$file")
        done
    fi
    echo "In a bare Debian 12: make $*"
    # shellcheck disable=SC2016
    mmdebstrap --quiet --variant=apt --include=make \
        --aptopt="$work/apt.conf" \
        --customize-hook="copy-in $work/toolwire /root" \
        --customize-hook='rm -f "$1/failed"; for target in '"$*"'; do
            chroot "$1" make -C /root/toolwire "$target" ||
                { touch "$1/failed"; break; }
            done
            [ -e "$1/failed" ] || echo "everything was made" >&2' \
        bookworm /dev/null "${sources[@]}" 2>&1 | tee "$work/log"
    # Nothing of what a target says counts but its exit code.
    [ "$(tail -n 1 "$work/log")" = 'everything was made' ]
}

# Is there a way to make one at all?
makes_debian() {
    command -v mmdebstrap >/dev/null && command -v apt-config >/dev/null &&
        mmdebstrap --quiet --simulate --variant=apt bookworm /dev/null \
            >"$work/log" 2>&1
}

# The programs of PACKAGES, and of what they need, as links in |work|/bin.
link_programs() {
    local package file
    mkdir "$work/bin"
    {
        dpkg-query -W -f '${Package} ${Essential} ${Priority}\n' |
            awk '$2 == "yes" || $NF == "required" { print $1 }'
        apt-cache depends --recurse --installed --no-recommends --no-suggests \
            --no-conflicts --no-breaks --no-replaces --no-enhances "$@" |
            sed -n 's/^\([a-z0-9][a-z0-9.+-]*\)\(:.*\)\{0,1\}$/\1/p'
    } | sort -u | while read -r package; do
        dpkg-query -L "$package" 2>/dev/null
    done | grep -E '^(/usr)?/s?bin/[^/]+$' >"$work/programs"
    while read -r file; do
        ln -sf "$file" "$work/bin/${file##*/}"
    done <"$work/programs"
    # cc and awk are links that no package lists.
    for file in /etc/alternatives/*; do
        if grep -qx "$(readlink "$file")" "$work/programs"; then
            ln -sf "$(readlink "$file")" "$work/bin/${file##*/}"
        fi
    done
}

in_clone() {
    local packages target
    packages=$(make -C "$root" -s packages) || return 1
    # shellcheck disable=SC2086
    link_programs make git $packages
    # CMake looks where the system has programs, too.
    echo 'set(CMAKE_IGNORE_PATH /usr/local/bin /usr/bin /bin)' \
        >"$work/toolchain.cmake"
    echo "In a clone, with $(find "$work/bin" -type l | wc -l) programs: make $*"
    for target; do
        env -i PATH="$work/bin" HOME="$work" \
            CMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" \
            make -C "$work/toolwire" "$target" || return 1
    done
}

if [ $method = debian ] && ! makes_debian; then
    echo 'clean: a bare Debian SKIPPED, in a clone instead: no mmdebstrap, or:'
    tail -n 3 "$work/log" 2>/dev/null
    method=clone
fi
if "in_$method" "$@"; then
    echo '1 passed, 0 failed'
else
    echo "FAILED: make $*, in a bare $method"
    echo '0 passed, 1 failed'
    exit 1
fi
