# SPDX-License-Identifier: MIT
#
# Logs as data engineers have them: what a bad record keeps, where a stop
# leaves off, what is said of a log that is something else.
# A part of tests/cli.sh.

# ---- what a bad record keeps -----------------------------------------------

printf '%s\n' \
    '{"id":"l1","custom_id":"a","response":{"status_code":429,"body":{"error":{"message":"slow down"}}},"error":null}' \
    '{"id":"l2","custom_id":"b","response":null,"error":{"code":"expired","message":"late"}}' \
    '{"conversation_id":1.50,"other":1,"messages":[{"role":"robot"}]}' \
    '{"id":3,' >log
"$T" convert -f auto -t openai log >out 2>err
status=$?
status_is 'convert: bad records of a batch' 1
out_has 'convert: a failed request keeps its id and its error' \
    '{"id":"l1","custom_id":"a","request_error":{"message":"slow down"},"error":{"code":"TW_ERROR_SCHEMA",'
out_has 'convert: so does one without a response' \
    '{"id":"l2","custom_id":"b","request_error":{"code":"expired","message":"late"},"error":{"code":"TW_ERROR_SCHEMA",'
out_has 'convert: a bad record keeps what ends in _id' \
    '{"conversation_id":1.50,"error":{"code":"TW_ERROR_SCHEMA",'
sed -n 4p out | grep -q '^{"error":{"code":"TW_ERROR_JSON"'
verdict 'convert: what is no JSON keeps nothing' $?
mv out once
for jobs in 1 2; do
    "$T" convert -f auto -t openai -j $jobs once >out 2>err
    out_has "convert -j $jobs: an error that is converted again keeps the ids" \
        '{"id":"l1","custom_id":"a","request_error":{"message":"slow down"},"error":'
    err_has "convert -j $jobs: it says what the error was" \
        'once:3: 0: TW_ERROR_SCHEMA: error: the record could not be converted before: the role is not known'
done
printf '%s\n' '{"id":"short","messages":[]}' \
    "{\"id\":\"long\",\"messages\":[{\"role\":\"user\",\"content\":\"$(head -c 90 /dev/zero | tr '\0' x)\"}]}" >log
"$T" convert -f openai -t openai --max-record 60 log >out 2>err
sed -n 2p out | grep -q '^{"error":{"code":"TW_ERROR_LIMIT"'
verdict 'convert: a record that is too long has not the id of the one before' $?

# ---- a stop, and how to go on ------------------------------------------------

for i in $(seq 40); do
    printf '{"id":%d,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","reasoning_content":"r"}]}\n' "$i"
    [ $((i % 5)) -eq 0 ] && echo '{"messages":[{"role":"robot"}]}'
done >log
rm -rf there slow
mkdir there
mkfifo slow
"$T" convert -f openai -t sharegpt --rejects there/rejects \
    --report there/report log >there/out 2>err
count() { [ -e "$1" ] && lines "$1" || echo 0; }
# stopped SIGNAL ARGUMENTS...: converts 30 lines of the log, and then waits for
# more until the signal comes.
stopped() {
    local signal=$1 job tries=30000
    shift
    rm -f out rejects report err
    # INT is ignored by what runs in the background of a script, this one, too.
    env --default-signal "$T" convert -f openai -t sharegpt \
        --rejects rejects --report report "$@" slow >out 2>err &
    job=$!
    exec 3>slow
    head -n 30 log >&3
    while [ "$jobs" = 1 ] && [ "$(count out)" -eq 0 ] &&
        [ $((tries -= 1)) -gt 0 ]; do
        sleep 0.02
    done
    kill -"$signal" $job
    wait $job 2>/dev/null
    status=$?
    exec 3>&-
}
for signal in TERM INT HUP; do
    for jobs in 1 2; do
        name="convert -j $jobs, $signal"
        stopped $signal -j $jobs
        status_is "$name" $((128 + $(kill -l $signal)))
        at=$(sed -n "s/.*convert: SIG$signal: stopped behind line \([0-9]*\) of slow; go on with \`tail -n +[0-9]* slow\`$/\1/p" err)
        [ -n "$at" ] && [ "$(($(count out) + $(count rejects)))" -eq "$at" ]
        verdict "$name: it says how far the output goes" $?
        tail -n "+$((at + 1))" log |
            "$T" convert -f openai -t sharegpt --rejects rest.rejects \
                --report rest.report -j $jobs >rest 2>err
        cat out rest | cmp -s - there/out &&
            cat rejects rest.rejects | cmp -s - there/rejects
        verdict "$name: gone on, output and rejects are those of one run" $?
        [ "$(($(count report) + $(lines rest.report)))" -eq "$(lines there/report)" ]
        verdict "$name: so is the report" $?
    done
done
jobs=2
stopped TERM -o whole
err_has 'convert -o, TERM: it says what becomes of the output' \
    'of slow; what was written was discarded'
[ ! -e whole ] && [ ! -e rejects ] && [ ! -e report ]
verdict 'convert -o, TERM: no file is there' $?
run '' convert -f openai -t sharegpt -o there/out slow/none
status_is 'convert: no such file' 3

# ---- a report of several files ----------------------------------------------

echo '{"messages":[{"role":"assistant","content":"a","reasoning_content":"r"}]}' >one
cp one two
for jobs in 1 2; do
    "$T" convert -f openai -t sharegpt -j $jobs --report report one two >out 2>err
    [ "$(cut -d, -f 1,2 report)" = '{"file":"one","line":1'"$nl"'{"file":"two","line":1' ]
    verdict "convert -j $jobs: the report names the file" $?
done

# ---- what there is ------------------------------------------------------------

printf '%s\n' '{"messages":[{"role":"user","content":"q"}]}' \
    '{"instruction":"q","output":"a"}' \
    '{"messages":[{"role":"user","content":"r"}]}' '{"x":1}' >log
for jobs in 1 2; do
    "$T" convert -f auto -t openai --stats -j $jobs log >out 2>err
    err_has "convert --stats -j $jobs: the shapes" \
        '"shapes":{"openai":2,"alpaca":1}}'
done
run '{"conversation":[],"chat id":1,"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}' convert -f auto -t openai
err_has 'convert -f auto: no shape, by its members' \
    'the record is of no shape that is known; it has conversation, chat id, a, b, c, d, e, f, ...; where a list of messages stands in it, name the list (-f openai --messages PATH)'
run '{"a":[{"t":"x"},{"t":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}]}' \
    convert -f hermes -t openai --unit completion --field a.1.t
out_is 'convert --field goes into lists' '{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}]}],"a":[{"t":"x"},{}]}'"$nl"
run '{"a":[{"t":"x"}]}' decode -f hermes --jsonl --field a.1.t
err_has 'decode --field: no such element' 'a.1.t: the record has no text'
run '{"a":[{"t":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}]}' \
    detect --jsonl --field a.0.t
out_has 'detect --field goes into lists' '1 call in 1 text'
usage convert -f sharegpt -t openai --wire hermse
err_has 'convert --wire: the nearest format' \
    "unknown format 'hermse'; did you mean hermes?"
printf 'PK\003\004rest' >packed.zip
printf 'PAR1\025\004rest' >log.parquet
echo '{"text":"a"}' >member
tar -cf packed.tar member
for foreign in 'packed.zip a ZIP archive' 'log.parquet a Parquet file' \
    'packed.tar a tar archive'; do
    "$T" convert -f auto -t openai "${foreign%% *}" >out 2>err
    status=$?
    status_is "convert: ${foreign#* }" 1
    err_has "convert: ${foreign#* }" "this is ${foreign#* }: read it by \`"
    err_lines "convert: ${foreign#* }" 1
done

# A log that is one array in one line: the remedy is told, however long it is.
run '[{"messages":[]},{"messages":[{"role":"user","content":"q"}]}]' \
    convert -f openai -t openai --max-record 20
status_is 'convert: a long array' 1
err_has 'convert: a long array' "TW_ERROR_LIMIT: the record is longer than --max-record, and an array; if it lists records, \`jq -c '.[]'\`"
