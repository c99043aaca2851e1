# SPDX-License-Identifier: MIT
#
# Files that cannot be read or written, and -o.
# A part of tests/cli.sh.

# ---- files that cannot be read or written ----------------------------------

no_file() {
    "$T" "$@" </dev/null >out 2>err
    status=$?
    status_is "I/O: toolwire $*" 3
    err_lines "I/O: toolwire $*" 1
}
for command in decode stream check; do
    no_file $command -f hermes absent
    no_file $command -f hermes files
    no_file $command -f hermes -o absent/x file
    no_file $command -f hermes -o files file
    "$T" $command -f hermes <&- >out 2>err
    status=$?
    status_is "I/O: $command, stdin is closed" 3
done
full() {
    "$T" "$@" <in >/dev/full 2>err
    status=$?
    status_is "/dev/full: toolwire $*" 3
    err_lines "/dev/full: toolwire $*" 1
    "$T" "$@" <in >&- 2>err
    status=$?
    status_is "stdout is closed: toolwire $*" 3
}
printf '"%s"\n' x y >in
full --help
full --version
full decode --help
full formats
full formats --json
full explain trailing_comma
full explain --all
full decode --jsonl -f hermes
full decode -f hermes
full stream -f hermes
full stream -f hermes --events
"$T" check -f hermes twice >/dev/full 2>err
status=$?
status_is '/dev/full: check' 3
"$T" decode -f hermes twice 2>/dev/full >out
status=$?
status_is 'stderr is full: it goes on' 0
"$T" decode -f hermes twice 2>&- >out
status=$?
status_is 'stderr is closed: it goes on' 0
out_lines 'stderr is closed: it goes on' 1

# A pipe whose reader is gone.
yes '"x"' 2>/dev/null | head -n 200000 >many
for signal in default ignore; do
    { env --$signal-signal=PIPE "$T" decode --jsonl -f hermes many 2>err
      echo $? >code; } | head -n 1 >/dev/null
    status=$(cat code)
    if [ $signal = default ]; then
        status_is 'closed pipe: SIGPIPE' 141
        silent 'closed pipe: SIGPIPE'
    else
        status_is 'closed pipe: SIGPIPE is ignored' 3
        err_lines 'closed pipe: SIGPIPE is ignored' 1
    fi
done

# ---- -o --------------------------------------------------------------------

left() {
    [ "$(ls -A files | tr '\n' ' ')" = "$2" ]
    verdict "-o: $1: in the folder there is: ${2:-nothing}" $?
}
to_file() {
    local name=$1
    shift
    rm -rf files
    mkdir files
    "$T" "$@" </dev/null >out 2>err
    status=$?
    status_is "-o: $name" 0
    [ ! -s out ] && [ -s files/x ]
    verdict "-o: $name: it is in the file" $?
    left "$name" 'x '
}
to_file decode decode -f hermes -o files/x file
cmp -s files/x <(printf '%s\n' "$message")
verdict '-o: decode: the file is what stdout would be' $?
to_file stream stream -f hermes --output=files/x file
to_file formats formats -o files/x
to_file explain explain --all -o files/x
rm -f files/*
"$T" check -f hermes -o files/x once 2>err
status=$?
status_is '-o: check' 1
left check 'x '
[ "$(cd files && umask 027 && "$T" formats -o y && stat -c %a y)" = 640 ]
verdict '-o: a new file has the usual mode' $?
rm -f files/y
chmod 604 files/x
"$T" formats -o files/x
[ "$(stat -c %a files/x)" = 604 ]
verdict '-o: an old file keeps its mode' $?
ln -s x files/link
"$T" explain 6 >explained
"$T" explain 6 -o files/link
[ -L files/link ] && cmp -s files/x explained
verdict '-o: a symbolic link stays one' $?
cp explained files/x
(cd files && "$T" decode -f hermes -o x x 2>/dev/null)
grep -q '^{"role"' files/x
verdict '-o: the file may be the input' $?
"$T" formats -o - >out
[ -s out ]
verdict '-o -: stdout' $?
"$T" formats -o /dev/null && [ -c /dev/null ]
verdict '-o: a device stays one' $?
"$T" formats -o /dev/full 2>err
status=$?
status_is '-o /dev/full' 3

fails() {
    local name=$1 code=$2
    shift 2
    rm -rf files
    mkdir files
    echo old >files/x
    "$T" "$@" -o files/x </dev/null >out 2>err
    status=$?
    status_is "-o: $name" "$code"
    left "$name" 'x '
    [ "$(cat files/x)" = old ]
    verdict "-o: $name: the old file stays" $?
    rm files/x
    "$T" "$@" -o files/x </dev/null >out 2>err
    left "$name" ''
}
fails 'no input' 3 decode -f hermes absent
fails 'a folder' 3 stream -f hermes files
fails 'check, one absent' 3 check -f hermes file absent
fails 'decode --strict' 1 decode -f hermes --strict twice
fails 'stream --strict' 1 stream -f hermes --strict twice
fails 'usage' 2 decode -f hermes --chunk 0 file
fails 'convert, rejects in no folder' 3 convert -f openai -t hermes \
    --rejects absent/x file
fails 'convert, a report in no folder' 3 convert -f openai -t hermes \
    --rejects files/y --report absent/x file
fails 'convert -j 2, rejects in no folder' 3 convert -f openai -t hermes \
    -j 2 --rejects absent/x file
rm -rf files
mkdir files
(ulimit -f 8 && exec env --ignore-signal=XFSZ "$T" decode --jsonl -f hermes \
    -o files/x many 2>err)
status=$?
status_is '-o: the file is too large' 3
err_lines '-o: the file is too large' 1
left 'the file is too large' ''
{ (ulimit -f 8 -c 0 && "$T" decode --jsonl -f hermes -o files/x many); } \
    2>/dev/null
left 'killed by SIGXFSZ' ''
"$T" decode --jsonl -f hermes -o files/x log 2>err
status=$?
status_is '-o: bad records are kept' 1
[ "$(lines files/x)" -eq 12 ]
verdict '-o: bad records are kept: all lines' $?
rm -f files/x to
mkfifo to
"$T" stream -f hermes -o files/x <to 2>err &
job=$!
exec 3>to
for _ in $(seq 12000); do
    [ -n "$(ls -A files)" ] && break
    sleep 0.05
done
[ ! -e files/x ]
verdict '-o: the file appears only when all is written' $?
kill -TERM $job
wait $job
status=$?
exec 3>&-
status_is '-o: killed' 143
left killed ''

# ---- colours: on a terminal, and not where NO_COLOR is set --------------------

# on_terminal VARIABLE=VALUE...: stderr of a diagnostic, as a terminal has it.
on_terminal() {
    printf '%s' "$hermes_comma" >in
    env -u NO_COLOR "$@" script -qec "'$T' check -f hermes in" /dev/null \
        </dev/null >out 2>err
    grep -q trailing_comma out
    verdict "colours, $*: the diagnostic is there" $?
}
if command -v script >/dev/null; then
    on_terminal TERM=xterm
    grep -q $'\e''\[1;33mtrailing_comma' out
    verdict 'colours: on a terminal' $?
    for variable in 'TERM=dumb NO_COLOR=' 'TERM=xterm NO_COLOR=1'; do
        # shellcheck disable=SC2086
        on_terminal $variable
        ! grep -q $'\e' out
        verdict "colours: none with $variable" $?
    done
    on_terminal TERM=xterm NO_COLOR=
    grep -q $'\e' out
    verdict 'colours: an empty NO_COLOR does not count' $?
else
    echo 'colours: SKIPPED: there is no script(1)'
fi
TERM=xterm run "$hermes_comma" check -f hermes
! grep -q $'\e' err
verdict 'colours: none in a file' $?
