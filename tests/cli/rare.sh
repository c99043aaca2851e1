# SPDX-License-Identifier: MIT
#
# What few will ask for: odd numbers and names, control characters in
# settings, large records in many threads, progress on a terminal.
# A part of tests/cli.sh.

# ---- options ---------------------------------------------------------------

usage ''
usage "$(printf 'x%.0s' $(seq 100))"
usage decode -f "$(printf 'x%.0s' $(seq 100))"
usage decode -f ''
usage decode -f hermes --chunk 99999999999999999999
usage decode -f hermes --chunk 9223372036854775807G
usage stream -f hermes --limit depth=99999999999999999999
sets=()
for i in $(seq 100); do
    sets+=(--set "a$i=1")
done
usage encode -f hermes "${sets[@]}"

usage encode -f hermes --set $'a=\xff'

printf '[{"name":"tide"}]' >tools
run "\"$hermes\"" decode --jsonl -f hermes --tools tools --max-record 10
status_is 'decode: tools longer than --max-record' 1
err_has 'decode: tools longer than --max-record' \
    'tools: the tools are longer than --max-record'
run "$hermes" stream -f hermes --call-id-prefix mine_
out_has 'stream --call-id-prefix' '"id":"mine_0"'

# ---- convert ---------------------------------------------------------------

run '{"text":"<tool_call>{\"name\":\"f\",\"arguments\":{},}</tool_call>"}' \
    convert -f hermes -t openai --unit completion --stats
status_is 'convert: a deviation' 0
err_has 'convert --stats: a deviation is counted' '"trailing_comma":1'
run '' convert -f openai -t hermes -j 2 absent
status_is 'convert -j 2: no such file' 3
{
    printf '{"messages":[{"role":"user","content":"'
    head -c 400000 /dev/zero | tr '\0' x
    printf '"}]}\n'
} >large
cat large large large >three
"$T" convert -f openai -t $second three >out-1 2>err
"$T" convert -f openai -t $second -j 2 three >out 2>err
status=$?
status_is 'convert -j 2: large records' 0
cmp -s out-1 out
verdict 'convert -j 2: large records are the same' $?

# Progress is for terminals only.
if command -v script >/dev/null; then
    yes '{"messages":[]}' | head -n 20100 >thousands
    for jobs in 1 2; do
        script -qec "'$T' convert -f openai -t $second -j $jobs thousands \
            -o converted --stats" /dev/null </dev/null >out 2>err
        status=$?
        status_is "convert -j $jobs: on a terminal" 0
        tr '\r' '\n' <out | sed 's| *$||' >shown
        grep -qx '20100 records, [0-9]* a second, 100 %, 0:[0-9][0-9]' shown
        verdict "convert -j $jobs: progress on a terminal" $?
        tail -n 2 shown | grep -q '^{"records":20100,.*}$'
        verdict "convert -j $jobs: --stats behind progress are a line" $?
        [ "$(tail -c 1 out)" = '' ] && [ "$(lines converted)" -eq 20100 ]
        verdict "convert -j $jobs: on a terminal, all lines" $?
    done
    # Standard input has a size if it is a file.
    for from in 'cat thousands |' '<thousands'; do
        script -qec "$from '$T' convert -f openai -t $second -o converted" \
            /dev/null </dev/null >out 2>err
        tr '\r' '\n' <out | sed 's| *$||' >shown
        [ "$from" = '<thousands' ] && share=' 100 %,' || share=
        grep -qx "20100 records, [0-9]* a second,$share 0:[0-9][0-9]" shown
        verdict "convert on a terminal: progress of $from" $?
    done
    # Where a size is not known there is no per cent; a message is a line.
    rm -f fifo
    mkfifo fifo
    : >out
    # shellcheck disable=SC2094
    script -qec "'$T' convert -f openai -t $second fifo >converted" /dev/null \
        </dev/null >out 2>err &
    job=$!
    exec 3>fifo
    # As many as it takes until progress is shown.
    for _ in $(seq 6000); do
        echo '{"messages":[]}' >&3
        grep -q 'a second' out && break
        sleep 0.1
    done
    printf '%s\n' no '{"messages":[]}' >&3
    exec 3>&-
    wait $job
    status=$?
    status_is 'convert on a terminal: a bad record' 1
    tr '\r' '\n' <out | grep -qx '[0-9]* records*, [0-9]* a second'
    verdict 'convert on a terminal: progress of a pipe' $?
    tr '\r' '\n' <out | grep -q '^[^ ]*fifo:[0-9]*: 0: .*the record is not JSON'
    verdict 'convert on a terminal: a message begins a line' $?
    # Where it is known, so is the time that is left; it falls.
    yes "\"$(printf '%01000d' 0)\"" | head -n 20000 >thousands
    script -qec "'$T' decode -f hermes --jsonl --chunk 1 thousands -o converted" \
        /dev/null </dev/null >out 2>err
    tr '\r' '\n' <out | sed 's/ *$//' >shown
    grep -qx '[0-9]* records, [0-9]* a second, [0-9]* %, 0:[0-9][0-9] left' shown
    verdict 'decode on a terminal: how much time is left' $?
    [ "$(grep -c 'left$' shown)" -gt 0 ] && grep . shown | tail -n 1 |
        grep -qx '20000 records, [0-9]* a second, 100 %, 0:[0-9][0-9]'
    verdict 'decode on a terminal: at the end, how long it took' $?
    # Hours are told, too; nobody waits for them.
    if truncate -s 4T thousands 2>/dev/null; then
        : >out
        script -qec "'$T' decode -f hermes --jsonl --chunk 1 \
            thousands -o converted" /dev/null </dev/null >out 2>err &
        job=$!
        for _ in $(seq 6000); do
            grep -q ' left' out && break
            sleep 0.1
        done
        kill $job
        wait $job
        tr '\r' '\n' <out |
            grep -q ' 0 %, [0-9]*:[0-9][0-9]:[0-9][0-9] left'
        verdict 'decode on a terminal: hours are left' $?
    fi
    yes '"x"' | head -n 20100 >thousands
    for command in decode check; do
        script -qec "'$T' $command -f hermes --jsonl thousands -o converted" \
            /dev/null </dev/null >out 2>err
        tr '\r' '\n' <out | sed 's/ *$//' |
            grep -qx '20100 records, [0-9]* a second, 100 %, 0:[0-9][0-9]'
        verdict "$command --jsonl: progress on a terminal" $?
    done
    yes '{"messages":[]}' | head -n 20100 >thousands
    # The output on the same terminal is progress enough.
    script -qec "'$T' convert -f openai -t $second thousands" /dev/null \
        </dev/null >out 2>err
    ! grep -q 'a second' out
    verdict 'convert on a terminal: no progress between records' $?
else
    echo 'progress: SKIPPED: there is no script(1)'
fi

# ---- more than is looked through ---------------------------------------------

# many COUNT TEXT: TEXT so many times.
many() { printf "%$1s" '' | sed "s/ /$2/g"; }
printf '[{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"array"}}}}]' >tools
run '<tool_call>{"name":"f","arguments":{"a":'"$(many 2000 '[')$(many 2000 ']')}}</tool_call>" \
    decode -f hermes --tools tools --validate report --limit depth=10000
status_is 'decode --validate: deeper than values are looked at' 0
err_has 'decode --validate: deeper than values are looked at' \
    'schema_limit: tools[0].parameters: The tool'
printf '[{"name":"f","parameters":{"type":"object","properties":{"a":{"enum":[%s]},"b":{"enum":[%s]}}}}]' \
    "$(seq -s, 5000)" "$(seq -s, 3000)" >tools
run "<tool_call>$nl<function=f>$nl<parameter=a>${nl}12$nl</parameter>$nl<parameter=b>${nl}12$nl</parameter>$nl</function>$nl</tool_call>" \
    decode -f qwen3-coder --tools tools
out_has 'decode: the values of an enum that is too long tell no type' \
    '"arguments":"{\"a\":\"12\",\"b\":12}"'
run '<tool_call>{"name":"f","arguments":{"a": @@ '"$(many 300 '[')</tool_call>Hi." \
    decode -f hermes
out_has 'decode: brackets beyond count do not hide the end of a bad call' \
    '{"role":"assistant","content":"Hi."'
run '{"messages":[{"role":"system","content":"Call.\n<tools>{\"name\": \"f\"}</tools>"},{"role":"user","content":"Hi"}]}' \
    convert -f openai -t openai --wire hermes
out_has 'convert --wire: a tool that is no list' '"tools":[{"type":"function","function":{"name":"f"}}]'
