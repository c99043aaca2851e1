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
