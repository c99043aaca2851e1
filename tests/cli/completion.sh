# SPDX-License-Identifier: MIT
#
# Completions for shells know every command and option.
# A part of tests/cli.sh.

for shell in bash zsh fish; do
    run '' completion $shell
    status_is "completion $shell" 0
    silent "completion $shell"
    cp out completion.$shell
done

run '' completion bash -o nowhere/file
status_is 'completion: a file that cannot be' 3
err_lines 'completion: a file that cannot be' 1

# In bash, as a user's TAB would: completed WORD... is what may stand last.
bash -n completion.bash
verdict 'completion bash: is a script' $?
completed() {
    bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _toolwire 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"' bash "$@" |
        sort >out
}
completes() {
    local wanted=$1
    shift
    completed toolwire "$@"
    [ "$(paste -sd ' ' out)" = "$wanted" ]
    verdict "completion bash: $* to $wanted" $?
}
completes 'decode detect' d
completes '--help --version' --
completes '--show --sse --start --stop-sequence --strict --system-fingerprint' stream --s
completes 'hermes hermes/nous hermes/qwen2.5 hermes/qwen3 hermes/rnj-1' \
    decode -f he
completes 'sharegpt' convert -f hermes -t sh
completes '' decode -f sh
completes 'string' convert --arguments = s
completes 'object string text' convert --arguments =
completes 'bash fish zsh' completion ''
completes 'repeated_message repeated_recipient repeated_start' explain repea
completes '' decode --call-id-prefix -
mkdir folder
: >folder/file
completes 'folder/file' decode folder/f
completes 'folder/file' decode --tools folder/f

# Each command's options are those of its help.
"$T" --help | sed -n '/^Commands:/,/^$/s/^  toolwire \([a-z-]*\) .*/\1/p' \
    >commands
[ "$(lines commands)" -ge 10 ]
verdict 'completion: the help has commands' $?
while IFS= read -r command; do
    "$T" "$command" --help |
        sed -n '/^Options:/,$s/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]*\).*/--\2/p' |
        sort >options
    completed toolwire "$command" --
    cmp -s options out
    verdict "completion bash: $command has the options of its help" $?
    sed -n "s/^complete -c toolwire -n '__fish_seen_subcommand_from $command' -l \([a-z-]*\) .*/--\1/p" \
        completion.fish | sort >out
    cmp -s options out
    verdict "completion fish: $command has the options of its help" $?
    sed -n "/^    $command)/,/;;/s/^            '[^[]*--\([a-z-]*\)[=}[].*/--\1/p" \
        completion.zsh | sort >out
    cmp -s options out
    verdict "completion zsh: $command has the options of its help" $?
done <commands

if command -v fish >/dev/null; then
    fish -c 'source completion.fish; complete -C "toolwire stream --s"' |
        cut -f 1 | sort >out
    [ "$(paste -sd ' ' out)" = '--show --sse --start --stop-sequence --strict --system-fingerprint' ]
    verdict 'completion fish: stream --s' $?
else
    echo 'completion: SKIPPED in fish: it is not there'
fi
if command -v zsh >/dev/null; then
    zsh -n completion.zsh
    verdict 'completion zsh: is a script' $?
else
    echo 'completion: SKIPPED in zsh: it is not there'
fi
