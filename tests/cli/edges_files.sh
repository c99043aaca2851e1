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
out_is '--field a.b: what was written is read' "$hi_messages,\"id\":7}$nl"
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
    "$hi_messages,\"id\":7,\"a\":{\"x\":1}}" -f hermes -t openai
nested 'a record that is a string' "\"$hi_hermes\"" "$hi_messages}" \
    -f hermes -t openai
nested 'a completion' '{"a":{"b":"Ho.<|im_end|>","c":[1]},"messages":[{"role":"user","content":"Hi."}],"id":7}' \
    '{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Ho."}],"a":{"c":[1]},"id":7}' \
    -f hermes -t openai --unit completion
run "$hi_messages,\"a\":{\"x\":1,\"b\":{\"y\":2}}}" convert -f openai -t hermes \
    --field a.b.c
out_is '--field a.b.c' '{"a":{"b":{"c":"'"$hi_hermes"'","y":2},"x":1}}'"$nl"

# ---- one file for two purposes ---------------------------------------------

"$T" formats hermes --json >mine.json
hermes_cut='<tool_call>{"name":"tide","arguments":{"at":"Bre'

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
    cp mine.json same/mine.json
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
one_file '--tools and -o' decode -f hermes --tools tools -o tools in
one_file '-f and -o' decode -f mine.json -o mine.json in
one_file '-f and --report' convert -f mine.json -t openai --report mine.json in
one_file '-t and --rejects' convert -f openai -t ./mine.json --unit completion \
    --rejects mine.json in
one_file '--wire and -o' convert -f openai -t openai --wire mine.json \
    -o mine.json in
one_file 'a description that is checked' check-format mine.json -o mine.json
one_file 'a description that is printed' formats mine.json --json -o mine.json
one_file 'a description that is found' gen -f mine.json -o mine.json
for command in 'check -f hermes' 'check -f hermes --jsonl' detect inspect; do
    # shellcheck disable=SC2086
    one_file "what $command says, and the input" $command in -o in
done
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
    timeout 600 "$T" convert -f openai -t hermes in >>in 2>../err)
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
cmp -s same/in log
verdict 'the input and -o: with a bad record it stays' $?
for input in in - hard; do
    for command in 'convert -f openai -t hermes' \
        'convert -f openai -t hermes -j 2' 'encode -f hermes --jsonl' \
        'decode -f hermes --jsonl'; do
        # shellcheck disable=SC2086
        may_be "the input and -o, $command $input" $command $input -o in
        cmp -s same/in log && grep -qF 'stays as it was' err
        verdict "the input and -o, $command $input: it stays, and is said" $?
    done
done
may_be 'the input, -o and --rejects' convert -f openai -t hermes -o in \
    --rejects bad in
grep -qF '<|im_start|>' same/in && [ "$(cat same/bad)" = 'no JSON' ]
verdict 'the input, -o and --rejects: it is replaced' $?
printf '%s\n' "$hi" >same/in
(cd same && "$T" convert -f openai -t hermes -o in in) && grep -qF '<|im_start|>' same/in
verdict 'the input and -o: where all is good it is replaced' $?
printf '%s' "$hermes_cut" >same/in
(cd same && "$T" stream -f hermes -o in in 2>../err)
[ $? -eq 1 ] && [ "$(cat same/in)" = "$hermes_cut" ]
verdict 'the input and -o: a stream with a call that is cut' $?

# What one of the files has no room for leaves all of them as they were.
printf '%s\n' '{"messages":[{"role":"user","content":"Hi.","name":"Ann"}]}' >loses
for command in convert\ -f\ openai\ -t\ hermes encode\ -f\ hermes\ --jsonl; do
    echo old >kept
    # shellcheck disable=SC2086
    "$T" $command loses -o kept --report /dev/full 2>err
    status=$?
    status_is "a report without room, $command" 3
    [ "$(cat kept)" = old ]
    verdict "a report without room, $command: -o is not written" $?
    # shellcheck disable=SC2086
    "$T" $command loses -o /dev/full --report kept 2>err
    status=$?
    status_is "-o without room, $command" 3
    [ "$(cat kept)" = old ]
    verdict "-o without room, $command: the report is not written" $?
done
echo no >bad
echo old >kept
"$T" convert -f openai -t hermes bad -o kept --rejects /dev/full 2>err
[ $? -eq 3 ] && [ "$(cat kept)" = old ]
verdict '--rejects without room: -o is not written' $?
printf '%s\nno JSON\n' "$hi" >same/in
printf '%s\n' "$hi" >same/tools
(cd same && "$T" convert -f openai -t hermes --report /dev/stderr tools 2>&1 |
    cat >../out)
out_has 'may be one file, a pipe' 'Hi.'

# ---- a name that promises what is not done ----------------------------------

printf '%s\n' "$hi" >plain.jsonl
for name in x.bz2 x.jsonl.xz; do
    usage convert -f openai -t hermes -o $name plain.jsonl
    usage decode -f hermes -o $name plain.jsonl
    usage convert -f openai -t hermes --report $name plain.jsonl
    usage convert -f openai -t hermes --rejects $name plain.jsonl
    [ ! -e $name ]
    verdict "-o $name: no such file is written" $?
done
usage formats -o x.bz2
err_has '-o x.bz2' '`toolwire ... | bzip2 >x.bz2`'
run '' formats -o x.gzip
status_is '-o x.gzip' 0

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
[ -L files/chain ] && [ -L files/link ] && cmp -s files/far/x explained
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
    "$T" convert -f openai -t $second -j 4 -o half/out --rejects half/rejects \
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

# ---- records that are too long ---------------------------------------------

long_line() { head -c "$1" /dev/zero | tr '\0' "$2"; }
{
    printf '%s\nno JSON\n{"text":"' "$hi"
    long_line 3000000 x
    printf '"}\n%s\n' "$hi"
    long_line 300 y
    printf '\r\n'
    long_line 201 z
    printf '\nno\n'
    long_line 300000 w
} >overlong
{ sed -n 2,3p overlong; sed -n '5,$p' overlong; echo; } >wanted
for jobs in 1 2 5; do
    for input in overlong - fifo; do
        name="convert -j $jobs --rejects, too long, $input"
        if [ $input = fifo ]; then
            rm -f fifo
            mkfifo fifo
            { head -c 1000 overlong; sleep 0.1; tail -c +1001 overlong; } >fifo &
        fi
        "$T" convert -f openai -t hermes -j $jobs --max-record 200 \
            --rejects rejects --stats $input <overlong >out 2>err
        status=$?
        status_is "$name" 1
        cmp -s rejects wanted
        verdict "$name: they are there as they were" $?
        out_lines "$name: the others are converted" 2
        sed "s/^$input:/NAME:/" err >err-$jobs-$input
        cmp -s err-1-overlong err-$jobs-$input
        verdict "$name: the same is said" $?
        err_has "$name" '"records":8,"written":2,"rejected":6,'
    done
done
"$T" convert -f openai -t hermes --max-record 200 overlong >out 2>err
out_lines 'convert, too long, no --rejects: a line for every line' 8
printf 'a%.0s' {1..300} >cut
"$T" convert -f openai -t hermes --max-record 200 --rejects rejects cut \
    overlong cut >out 2>err
{ cat cut; echo; cat wanted cut; echo; } | cmp -s - rejects
verdict 'convert --rejects, too long: of several files' $?

# As it is read, and so in constant memory: half a line is there already.
for jobs in 1 2; do
    rm -rf half fifo
    mkdir half
    mkfifo fifo
    "$T" convert -f openai -t hermes -j $jobs --max-record 200 \
        --rejects half/rejects <fifo >out 2>err &
    job=$!
    exec 3>fifo
    long_line 3000000 x >&3
    for _ in $(seq 12000); do
        [ "$(cat half/.toolwire.* | wc -c)" -ge 2000000 ] && break
        sleep 0.05
    done 2>/dev/null
    [ "$(cat half/.toolwire.* | wc -c)" -ge 2000000 ]
    verdict "convert -j $jobs --rejects, too long: half a line is passed on" $?
    exec 3>&-
    wait $job
    [ "$(wc -c <half/rejects)" -eq 3000001 ]
    verdict "convert -j $jobs --rejects, too long: all of it" $?
done

# ---- byte order marks, blank lines -----------------------------------------

mark=$'\xef\xbb\xbf'
# marked NAME INPUT ARGUMENTS...: a mark in front of it changes nothing.
marked() {
    local name="byte order mark, $1" input=$2
    shift 2
    run "$input" "$@"
    cp out plain
    cp err plain-err
    run "$mark$input" "$@"
    status_is "$name" 0
    [ -s out ] && cmp -s plain out && cmp -s plain-err err
    verdict "$name: it is passed over" $?
}
marked decode "$second_comma" decode -f $second
marked stream "$second_comma" stream -f $second
marked 'stream --chunk 1' "$second_comma" stream -f $second --chunk 1
marked 'stream --events' "$second_comma" stream -f $second --events --chunk 2
marked 'decode --jsonl' "$comma" decode -f hermes --jsonl
marked encode "$hi" encode -f hermes
marked 'encode --jsonl' "$hi$nl$hi" encode -f hermes --jsonl
marked convert "$hi" convert -f openai -t hermes
marked 'convert -j 2' "$hi" convert -f openai -t hermes -j 2
marked 'decode --transcript' "$hi_prompt" decode -f hermes --transcript
printf '%s["tide"]' "$mark" >names-marked.json
run "$hermes" decode -f hermes --tools names-marked.json
silent 'byte order mark, --tools'
run "a$mark" decode -f hermes
out_has 'byte order mark: one further on is text' "a$mark"
run "$mark$mark" decode -f hermes
out_has 'byte order mark: only the first' "\"$mark\""
run "$hi$nl$mark$hi" encode -f hermes --jsonl
status_is 'byte order mark: not in a later record' 1
for part in "${mark:0:1}" "${mark:0:2}"; do
    printf '%s' "$part" >part
    "$T" decode -f hermes part >out 2>err
    out_has 'byte order mark: half of one' $'"\xef\xbf\xbd"'
done
slow mark "$mark\"Quimper\"$nl" "\"Brest\"$nl" Quimper decode --jsonl -f hermes

for end in "$nl" "$nl$nl$nl" "  $nl" "$nl " $'\r\n' $'\n\t\r\n \n'; do
    run "\"a\"$nl$end" decode --jsonl -f hermes
    status_is 'blank lines at the end' 0
    out_lines 'blank lines at the end' 1
    silent 'blank lines at the end'
    run "\"a\"$nl$end\"b\"" decode --jsonl -f hermes
    status_is 'blank lines within' 1
    out_lines 'blank lines within' "$(grep -c '' in)"
done
for end in '' ' ' "$nl" "$nl$nl "; do
    run "$end" convert -f openai -t hermes -j 2
    status_is 'nothing but blank lines' 0
    out_is 'nothing but blank lines' ''
done
# Many of them: no line is looked at again for each of the others.
{ yes '' | head -n 300000; echo '"a"'; yes '' | head -n 300000; } >blanks
timeout 600 "$T" decode --jsonl -f hermes blanks >out 2>err
status=$?
status_is 'many blank lines' 1
out_lines 'many blank lines' 300001
yes ' ' | head -n 300000 >blanks
timeout 600 "$T" decode --jsonl -f hermes --max-record 1000 blanks >out 2>err
status=$?
status_is 'more blanks than a record may have bytes' 1

# ---- what is something else ------------------------------------------------

# foreign WHAT COMMAND FILE: it is named in one line, and nothing is made.
foreign() {
    local what=$1 remedy=$2 file=$3 arguments
    for arguments in 'decode -f hermes --jsonl' 'check -f hermes --jsonl' \
        'encode -f hermes --jsonl' 'convert -f openai -t hermes' \
        'convert -f openai -t hermes -j 3' "${@:4}"; do
        echo old >kept
        # shellcheck disable=SC2086
        "$T" $arguments "$file" -o kept >out 2>err
        status=$?
        status_is "$what, $arguments" 1
        err_lines "$what, $arguments" 1
        err_has "$what, $arguments" "toolwire: $file: this is $what"
        err_has "$what, $arguments" "\`$remedy $file | toolwire ...\`"
        [ "$(cat kept)" = old ]
        verdict "$what, $arguments: -o is not written" $?
        # shellcheck disable=SC2086
        "$T" $arguments <"$file" >out 2>err
        err_has "$what, $arguments, stdin" "\`$remedy | toolwire ...\`"
    done
}
text=('decode -f hermes' 'check -f hermes' 'stream -f hermes'
    'stream -f hermes --chunk 1' 'decode -f hermes --transcript')
json='encode -f hermes'
printf '%s\n%s\n' "$hi" "$hi" >lines.jsonl
printf 'BZh91AY&SY\x01' >lines.bz2
"$T" stream -f hermes --from-sse lines.bz2 >out 2>err
status=$?
status_is 'bzip2, stream --from-sse' 1
err_lines 'bzip2, stream --from-sse' 1
for packed in 'bzip2 bzcat' 'xz xzcat'; do
    if command -v "${packed% *}" >/dev/null; then
        "${packed% *}" -c lines.jsonl >lines.packed 2>/dev/null
    else # the first bytes
        case $packed in
        bzip2*) printf 'BZh91AY&SY\x01' ;;
        *) printf '\xfd7zXZ\0\0' ;;
        esac >lines.packed
    fi
    foreign "compressed by ${packed% *}" "${packed#* }" lines.packed \
        "$json" "${text[@]}"
done
for code in UTF-16 UTF-32; do
    iconv -f UTF-8 -t $code lines.jsonl >lines.wide
    foreign "$code" "iconv -f $code -t UTF-8" lines.wide "$json" "${text[@]}"
    for end in LE BE; do
        iconv -f UTF-8 -t $code$end lines.jsonl >lines.wide
        foreign "$code" "iconv -f $code$end -t UTF-8" lines.wide "$json"
        { printf '\xef\xbb\xbf' | iconv -f UTF-8 -t $code$end
          cat lines.wide; } >lines.marked
        foreign "$code" "iconv -f $code -t UTF-8" lines.marked "$json" \
            "${text[@]}"
    done
done
"$T" decode -f hermes --tools lines.bz2 file >out 2>err
status=$?
status_is 'bzip2, --tools' 1
err_has 'bzip2, --tools' 'lines.bz2: this is compressed by bzip2'
for text in 'BZh' 'BZhX1AY' '(' '7zXZ' $'\x1f' "a$nl"; do
    run "$text" decode -f hermes
    status_is 'what only begins alike is text' 0
    out_has 'what only begins alike is text' '"content":'
done
printf 'a\0b\0' >nul
"$T" decode -f hermes nul >out 2>err
out_has 'text may hold NUL' '"a\u0000b\u0000"'

printf 'id,prompt,"the text"\n1,a,"b, c"\n' >table.csv
printf 'id\ttext\n1\ta\n' >table.tsv
foreign 'a table, where each line is to be a JSON record (CSV)' \
    "$(printf '%s' 'python3 -c "import csv, json, sys; ' \
        '[print(json.dumps(row)) for row in ' \
        "csv.DictReader(open(*sys.argv[1:] or [0]), delimiter=',')]\"")" \
    table.csv
foreign 'a table, where each line is to be a JSON record (TSV)' \
    "$(printf '%s' 'python3 -c "import csv, json, sys; ' \
        '[print(json.dumps(row)) for row in ' \
        "csv.DictReader(open(*sys.argv[1:] or [0]), delimiter='\\t')]\"")" \
    table.tsv
python3 -c "import csv, json, sys; [print(json.dumps(row)) for row in csv.DictReader(open(*sys.argv[1:] or [0]), delimiter=',')]" \
    <table.csv >out
out_has 'the remedy makes records' '"the text": "b, c"'
run 'no JSON, at all' convert -f openai -t hermes
out_has 'a text is no table' TW_ERROR_JSON

printf '[\n  {"text":"a"},\n  {"text":"b"}\n]\n' >array.json
printf '[{"text":"a"},\n{"text":"b"}]\n' >array-2.json
printf '[{\n  "text": "a"\n}]\n' >array-3.json
printf '{\n  "text": "a"\n}\n' >object.json
line_each=', where each line is to be a record (jq before 1.7 rounds numbers)'
for file in array.json array-2.json array-3.json; do
    foreign "one JSON array$line_each" \
        "jq -c '.[]'" $file
done
foreign "JSON over several lines$line_each" \
    'jq -c .' object.json
"$T" encode -f hermes object.json >out 2>err
err_has 'an object over several lines may be a request' TW_ERROR_SCHEMA
for name in 'decode -f hermes --jsonl' 'encode -f hermes --jsonl' \
    'convert -f openai -t hermes'; do
    # shellcheck disable=SC2086
    run '[{"text":"a"},{"text":"b"}]'"$nl" $name
    status_is "an array on one line, $name" 1
    err_lines "an array on one line, $name" 1
    err_has "an array on one line, $name" "jq -c '.[]'"
done
printf '%s\n' "$comma" "$comma" "$comma" >spoiled
"$T" check -f hermes --jsonl spoiled lines.bz2 spoiled >out 2>err
status=$?
status_is 'bzip2 behind another file' 1
out_has 'bzip2 behind another file: the others are read' '"code":"trailing_comma","count":6,'
err_has 'bzip2 behind another file: the file is named' 'lines.bz2: this is compressed by bzip2'

# Among several files one is something else, or not there: the others are read,
# and what was written of them is kept as with bad records.
mkdir mixed
echo '{"messages":[{"role":"user","content":"q"}]}' >mixed/a.jsonl
cp mixed/a.jsonl mixed/z.jsonl
cp table.csv mixed/m.csv
for jobs in 1 3; do
    "$T" convert -f auto -t openai -j $jobs -o all.jsonl mixed/* 2>err
    status=$?
    status_is "a table among files, -j $jobs" 1
    err_has "a table among files, -j $jobs" 'mixed/m.csv: this is a table'
    cat mixed/a.jsonl mixed/z.jsonl | cmp -s - all.jsonl
    verdict "a table among files, -j $jobs: the others are written" $?
    rm all.jsonl
    for missing in nowhere mixed; do
        "$T" convert -f auto -t openai -j $jobs $missing mixed/[az]* \
            >out 2>err
        status=$?
        status_is "$missing among files, -j $jobs" 3
        err_has "$missing among files, -j $jobs" "toolwire: $missing: "
        out_lines "$missing among files, -j $jobs: the others are read" 2
    done
    echo old >all.jsonl
    "$T" convert -f auto -t openai -j $jobs -o all.jsonl mixed/m.csv nowhere \
        2>err
    [ "$(cat all.jsonl)" = old ]
    verdict "none of the files can be read, -j $jobs: nothing is replaced" $?
    "$T" convert -f auto -t openai -j $jobs --rejects bad \
        -o mixed/m.csv mixed/* 2>err
    status=$?
    status_is "a table that is to be replaced, -j $jobs" 1
    cmp -s table.csv mixed/m.csv
    verdict "a table that is to be replaced, -j $jobs: it stays" $?
done

# ---- many lines of one code ------------------------------------------------

for _ in {1..13}; do
    printf '%s\n' no "$comma" "$comma" '{}' "$comma"
done >spoiled
"$T" decode -f hermes --jsonl spoiled >out 2>err
status=$?
status_is 'many errors' 1
out_lines 'many errors: all are answered' 65
[ "$(grep -c ': trailing_comma: ' err)" -eq 20 ] &&
    [ "$(grep -c ': TW_ERROR_JSON: ' err)" -eq 13 ]
verdict 'many errors: twenty of each code are shown' $?
[ "$(grep -A 1 '^spoiled:34: ' err | tail -n 1)" = 'toolwire: trailing_comma was shown 20 times: from here on it is only counted (--show N: N times)' ]
verdict 'many errors: where the others begin is said' $?
[ "$(tail -n 1 err)" = 'toolwire: in all: trailing_comma 39' ]
verdict 'many errors: in all' $?
"$T" check -f hermes --jsonl spoiled >out 2>err
out_is 'many errors: check counts all' '{"code":"TW_ERROR_JSON","count":13,"records":13}
{"code":"TW_ERROR_SCHEMA","count":13,"records":13}
{"code":"trailing_comma","count":39,"records":39}
'
"$T" check -f hermes --jsonl --show 1 spoiled >out 2>err
err_lines '--show 1' 7
[ "$(tail -n 1 err)" = 'toolwire: in all: TW_ERROR_JSON 13, trailing_comma 39, TW_ERROR_SCHEMA 13' ]
verdict '--show 1: in all' $?
"$T" check -f hermes --jsonl --show 39 spoiled >out 2>err
err_lines '--show 39: all of them' 65
for _ in {1..30}; do cat spoiled; done >more
for show in 1 20 33 64 1000; do
    "$T" convert -f hermes -t openai --unit completion --show $show --stats \
        more spoiled >out 2>err
    for jobs in 2 5; do
        "$T" convert -f hermes -t openai --unit completion --show $show \
            --stats -j $jobs more spoiled >out-2 2>err-2
        cmp -s out out-2 && cmp -s err err-2
        verdict "--show $show -j $jobs: the same is said" $?
    done
    tail -n 1 err | grep -q '^{"records":2015,'
    verdict "--show $show: --stats come last" $?
done
commas=
for _ in {1..30}; do commas+=$hermes_comma; done
run "$commas" stream -f hermes --chunk 5
err_lines 'stream, many deviations' 22
run "data: {\"choices\":[{\"delta\":{\"content\":\"$(printf '%s' "$commas" |
    sed 's/"/\\"/g')\"},\"finish_reason\":\"stop\"}]}$nl$nl" \
    stream -f hermes --from-sse
err_lines 'stream --from-sse, many deviations' 22
usage check -f hermes --show 0

# ---- paths that lead nowhere -----------------------------------------------

deep=$(printf 'd%.0s' {1..200})
mkdir "$deep"
if ln -s "$(printf 'x/%.0s' {1..2040})y" "$deep/link" 2>/dev/null; then
    run '' decode -f hermes -o "$deep/link"
    status_is '-o of a link whose target is too long' 3
    err_has '-o of a link whose target is too long' 'File name too long'
fi
run '' formats hermes -o nowhere/out
status_is 'formats NAME -o: no such folder' 3
err_has 'formats NAME -o: no such folder' 'nowhere/out: No such file'
run "$hi" convert -f openai -t hermes -o nowhere/ --report report
status_is '-o of a folder that is not there' 3
err_has '-o of a folder that is not there' 'nowhere/: No such file'
