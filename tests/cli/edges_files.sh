# SPDX-License-Identifier: MIT
#
# Where files and people stand at the edges of the command.
# A part of tests/cli.sh.

# ---- --field a.b is written as it is read ----------------------------------

# nested NAME INPUT WANTED OPTIONS...: what convert makes of a record.
nested() {
    local name="--field a.b: $1" input=$2 wanted=$3
    shift 3
    run "$input" convert --field a.b "$@"
    status_is "$name" 0
    out_is "$name" "$wanted$nl"
}
hi_hermes='<|im_start|>user\nHi.<|im_end|>\n'
hi_messages='{"messages":[{"role":"user","content":"Hi."}]'
nested 'two objects' "$hi_messages,\"id\":7}" \
    '{"a":{"b":"'"$hi_hermes"'"},"id":7}' -f openai -t hermes
cp out written
"$T" convert -f hermes -t openai --field a.b written >out 2>err
out_is '--field a.b: what was written is read' "$hi_messages,\"a\":{},\"id\":7}$nl"
nested 'what else stands in a stays there' "$hi_messages,\"a\":{\"x\":1,\"b\":\"old\",\"y\":2},\"id\":7}" \
    '{"a":{"b":"'"$hi_hermes"'","x":1,"y":2},"id":7}' \
    -f openai -t hermes --report report
grep -q '"path":"a.b"' report
verdict '--field a.b: what stood at a.b is reported' $?
nested 'a that is no object' "$hi_messages,\"a\":5,\"id\":7}" \
    '{"a":{"b":"'"$hi_hermes"'"},"id":7}' -f openai -t hermes --report report
grep -q '"path":"a"' report
verdict '--field a.b: an a that is no object is reported' $?
nested 'from a format to another' '{"id":7,"a":{"x":1,"b":"'"$hi_hermes"'"}}' \
    '{"a":{"b":"'"$hi_hermes"'","x":1},"id":7}' -f hermes -t hermes \
    --report report
[ ! -s report ]
verdict '--field a.b: what was read is not lost' $?
nested 'to a shape of records' '{"id":7,"a":{"x":1,"b":"'"$hi_hermes"'"}}' \
    "$hi_messages,\"a\":{\"x\":1},\"id\":7}" -f hermes -t openai
nested 'a record that is a string' "\"$hi_hermes\"" "$hi_messages}" \
    -f hermes -t openai
nested 'a completion' '{"a":{"b":"Ho.<|im_end|>","c":[1]},"messages":[{"role":"user","content":"Hi."}],"id":7}' \
    '{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Ho."}],"a":{"c":[1]},"id":7}' \
    -f hermes -t openai --unit completion
run "$hi_messages,\"a\":{\"x\":1,\"b\":{\"y\":2}}}" convert -f openai -t hermes \
    --field a.b.c
out_is '--field a.b.c' '{"a":{"b":{"c":"'"$hi_hermes"'","y":2},"x":1}}'"$nl"

# ---- one file for two purposes ---------------------------------------------

# one_file NAME ARGUMENTS...: refused before anything is written to a file.
one_file() {
    local name="one file, $1"
    shift
    rm -rf same untouched
    mkdir same
    printf '%s\nno JSON\n' "$hi" >same/in
    ln same/in same/hard
    ln -s in same/link
    ln -s absent same/dangling
    printf '["tide"]' >same/tools
    cp -r same untouched
    (cd same && "$T" "$@" <in >../out 2>../err)
    status=$?
    status_is "$name" 2
    err_lines "$name" 1
    [ ! -s out ] && diff -r --no-dereference same untouched >difference
    verdict "$name: nothing is written" $?
    rm -rf untouched
}
one_file '-o and --rejects' convert -f openai -t hermes -o x --rejects x in
one_file '-o and --report' convert -f openai -t hermes -o x --report ./x in
one_file 'other names of one' convert -f openai -t hermes --rejects x \
    --report "$work/same/../same/x" in
one_file 'encode' encode -f hermes -o x --report x in
one_file 'what a link means' encode -f hermes -o dangling --report absent
one_file 'the input and --rejects' convert -f openai -t hermes --rejects in in
one_file 'the input and --report' convert -f openai -t hermes -o y \
    --report link tools in
one_file 'a hard link' convert -f openai -t hermes --report hard in
one_file 'stdin and --report' encode -f hermes --report in
one_file 'stdin by its name' convert -f openai -t hermes --report in tools -
one_file '--tools and --report' convert -f hermes -t openai --tools tools \
    --report tools in
one_file 'absent, and an input' convert -f openai -t hermes --report x x
for option in --report --rejects; do
    one_file "$option -" convert -f openai -t hermes $option - in
    err_has "one file, $option -" \
        "the output and $option are one file, standard output"
done
one_file '-o - --report -' encode -f hermes -o - --report -
one_file 'two reports into stdout' convert -f openai -t hermes -o x \
    --report - --rejects - in
(cd same && "$T" convert -f openai -t hermes --report y in >y 2>../err)
status=$?
status_is 'one file, stdout and --report' 2
(cd same && "$T" convert -f openai -t hermes -o x --report y in 2>y)
status=$?
status_is 'one file, stderr and --report' 2
cp same/in log
(cd same && ulimit -f 1000 &&
    timeout 60 "$T" convert -f openai -t hermes in >>in 2>../err)
status=$?
status_is 'one file, the input grows by the output' 2
cmp -s same/in log
verdict 'one file, the input grows by the output: it stays' $?

# What may be one.
may_be() {
    local name="may be one file, $1"
    shift
    (cd same && "$T" "$@" <in >../out 2>../err)
    status=$?
    status_is "$name" 1
}
may_be '/dev/null' convert -f openai -t hermes -o /dev/null \
    --rejects /dev/null --report /dev/null in
may_be 'a report in stdout' convert -f openai -t hermes -o x --report - in
may_be 'the input and -o' convert -f openai -t hermes -o in --report y in
printf '%s\n' "$hi" >same/tools
(cd same && "$T" convert -f openai -t hermes --report /dev/stderr tools 2>&1 |
    cat >../out)
out_has 'may be one file, a pipe' 'Hi.'

# ---- -o and symbolic links -------------------------------------------------

rm -rf files
mkdir -p files/far
ln -s far/x files/link
ln -s "$work/files/link" files/chain
"$T" formats -o files/chain
status=$?
status_is '-o: a link to what is not there' 0
[ -L files/chain ] && [ -L files/link ] && [ ! -L files/far/x ] &&
    [ -s files/far/x ]
verdict '-o: a link to what is not there stays one' $?
"$T" explain 6 -o files/chain
[ -L files/chain ] && [ -L files/link ] && cmp -s files/far/x by-name
verdict '-o: a link to a link stays one' $?
ln -s loop files/loop
"$T" formats -o files/loop >out 2>err
status=$?
status_is '-o: a loop of links' 3
err_has '-o: a loop of links' 'files/loop: '
[ -L files/loop ]
verdict '-o: a loop of links stays one' $?
ln -s nowhere/x files/lost
"$T" formats -o files/lost >out 2>err
status=$?
status_is '-o: a link into no folder' 3
[ -L files/lost ] && [ -z "$(find files -name '.toolwire*')" ]
verdict '-o: a link into no folder stays one' $?
long=$(printf 'x%.0s' $(seq 5000))
"$T" formats -o "$long" 2>err
status=$?
status_is '-o: a name that is too long' 3

# ---- signals ---------------------------------------------------------------

# One comes while another one is handled: as many as can be sent at once.
rm -rf half
mkdir half
rm -f slow
mkfifo slow
left=0
for _ in $(seq 60); do
    "$T" convert -f openai -t gemma4 -j 4 -o half/out --rejects half/rejects \
        --report half/report <slow 2>err &
    job=$!
    exec 3>slow
    printf '%s\n' "$hi" >&3
    while kill -0 $job 2>/dev/null; do
        names=(half/.toolwire.*)
        [ ${#names[@]} -eq 3 ] && break
    done
    for _ in {1..40}; do
        kill -TERM $job
        kill -INT $job
    done 2>/dev/null
    wait $job 2>/dev/null
    exec 3>&-
    [ -z "$(ls -A half)" ] || left=$((left + 1))
    rm -f half/.toolwire.*
done
[ $left -eq 0 ]
verdict "signals: many at once leave no temporary file ($left of 60 do)" $?
