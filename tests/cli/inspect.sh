# SPDX-License-Identifier: MIT
#
# inspect: what each byte of a completion is, as text and as a page.
# A part of tests/cli.sh.

# shown FORMAT WIRE: the rows under the head are stdin.
shown() {
    cat >wanted
    run "$2" inspect -f "$1"
    [ "$status" -le 1 ] && silent "inspect -f $1"
    sed 1,3d out >rows
    cmp -s rows wanted
    verdict "inspect -f $1: the rows of ${2:0:20}" $?
}

shown hermes "Hi.
$hermes" <<'END'
       0  text       Hi.
       3  structure  ↵
       4  marker     <tool_call>
      15  structure  {"name":"
      24  name       tide
      28  structure  ","arguments":
      42  arguments  {"at":"Brest"}
      56  structure  }
      57  marker     </tool_call>

calls
  0 tide call_0, complete, bytes 4 to 57
    at: "Brest"
END
shown $second "$second_comma" <<'END'
       0  text       Hi.
       3  marker     <|tool_call>
      15  structure  call:
      20  name       tide
      24  arguments  {at:
      28  marker     <|"|>
      33  arguments  Brest
      38  marker     <|"|>
      43  structure  ,
                     ^
                     trailing_comma at 43: A comma stands before a closer; it is
                     dropped.
                     remedy: None is needed: the reading is safe. If it comes
                     often, lower the temperature, or refuse it with --strict.
      44  arguments  }
      45  marker     <tool_call|>

calls
  0 tide call_0, complete, bytes 3 to 45
    at: "Brest"
END
shown qwen3-coder '<think>
now?
</think>

<tool_call>
<function=parameter>
<parameter=function>
<b>
</parameter>
</function>
</tool_call>' <<'END'
       0  marker     <think>
       7  structure  ↵
       8  reasoning  now?
      12  structure  ↵
      13  marker     </think>
      21  structure  ↵
      22  structure  ↵
      23  marker     <tool_call>
      34  structure  ↵
      35  marker     <function=
      45  name       parameter
      54  structure  >↵
      56  marker     <parameter=
      67  arguments  function
      75  structure  >↵
      77  arguments  <b>
      80  structure  ↵
      81  marker     </parameter>
      93  structure  ↵
      94  marker     </function>
     105  structure  ↵
     106  marker     </tool_call>

calls
  0 parameter call_0, complete, bytes 35 to 94
    function: "<b>"
END
shown hermes '<tool_call>{"name":"now","arguments":{}}</tool_call>' <<'END'
       0  marker     <tool_call>
      11  structure  {"name":"
      20  name       now
      23  structure  ","arguments":
      37  arguments  {}
      39  structure  }
      40  marker     </tool_call>

calls
  0 now call_0, complete, bytes 0 to 40
END
# What was dropped, what is no call, and arguments of all kinds that are cut off.
shown hermes '<tool_call>{"name":"f","arguments":{"a":[1,{}],"b":{"c":null}}} so</tool_call><tool_call>{"name":"g","arguments":{"k":"v' <<'END'
       0  marker     <tool_call>
      11  structure  {"name":"
      20  name       f
      21  structure  ","arguments":
      35  arguments  {"a":[1,{}],"b":{"c":null}}
      62  structure  }·
      64  dropped    so
                     ^^
                     junk_after_object at 64: Text stands between a call's object
                     and its close marker; dropped.
                     remedy: None is needed: the reading is safe. If it comes
                     often, lower the temperature, or refuse it with --strict.
      66  marker     </tool_call>
      78  unparsed   <tool_call>{"name":"g","arguments":{"k":"v
                                                               ^
                     truncated_call at 120: The output ends inside a call.
                     remedy: Raise the token limit (max_tokens) and ask again;
                     what was cut off does not run.

calls
  0 f call_0, complete, bytes 0 to 63
    a:
      - 1
      - {}
    b:
      c: null
  1 g call_1, incomplete, bytes 78 to 120
    k: "v
END
status_is 'inspect of what cannot be parsed' 1

# ---- the format is found ----------------------------------------------------

run "$hermes" inspect
status_is 'inspect' 0
out_has 'inspect' '-: hermes/qwen3 (found: it reads all of this; -f names another)'
run "Because.</think>$hermes" inspect
out_has 'inspect of what begins in reasoning' 'found: it reads all of this, begun inside reasoning'
out_has 'inspect of what begins in reasoning' '       0  reasoning  Because.'
run "$hermes_comma" inspect
status_is 'inspect of a deviation' 0
out_has 'inspect of a deviation' '-: hermes/qwen3 (found: '
run 'Hello.' inspect
status_is 'inspect of no format' 1
err_lines 'inspect of no format' 1
err_has 'inspect of no format' 'name the format with -f'
[ ! -s out ]
verdict 'inspect of no format: nothing on stdout' $?
run '' inspect -f hermes
status_is 'inspect of nothing' 0
out_has 'inspect of nothing' '0 bytes, 0 calls'

# ---- options of decoders, errors --------------------------------------------

run "$hermes_comma" inspect -f hermes --strict
out_has 'inspect --strict' 'TW_ERROR_DEVIATION at '
out_has 'inspect --strict' ': trailing_comma: A comma stands'
out_has 'inspect --strict' 'unread'
cp in wire
python3 "$parts/inspect.py" wire out 2>err
verdict 'inspect --strict: all bytes are shown' $?
run "$hermes" inspect -f hermes --limit input=9
out_has 'inspect --limit' 'TW_ERROR_LIMIT at 9'
run "$second_call" inspect -f hermes
out_has 'inspect of a foreign call' "foreign_marker at 0 (warning): $second: "
# What is said may hold what the model wrote: a path of its keys.
echo '[{"type":"function","function":{"name":"f","parameters":{"type":"object","additionalProperties":false}}}]' >schema
for option in --show=9 --html; do
    run '<tool_call>{"name":"f","arguments":{"\u001b[31m<b>":1}}</tool_call>' \
        inspect -f hermes --tools schema --validate report $option
    cp in wire
    grep -q 'u001b\[31m' out && python3 "$parts/inspect.py" wire out 2>err
    verdict "inspect $option: a path is shown harmlessly" $?
done
run 'Then?</think>Yes.' inspect -f hermes --start reasoning
out_has 'inspect --start' 'reasoning  Then?'
printf '<tool_call>{"name":"x","arguments":{},}</tool_call>%.0s' 1 2 3 4 >many
run '' inspect -f hermes many --show 2
[ "$(grep -c 'trailing_comma at' out)" -eq 2 ]
verdict 'inspect --show: so many of a code' $?
out_has 'inspect --show' '2 more of these codes'
usage inspect -f hermes a b
usage inspect --chunk 3
usage inspect --json
run '' inspect nothing-there
status_is 'inspect of no file' 3

# ---- any bytes --------------------------------------------------------------

# each FILE FORMAT NAME: every byte is shown, once, by no control character.
each() {
    local option
    for option in '' --html; do
        # shellcheck disable=SC2086
        "$T" inspect -f "$2" $option "$1" >shown 2>err
        [ $? -le 1 ] && [ ! -s err ] &&
            python3 "$parts/inspect.py" "$1" shown 2>err
        verdict "inspect $option: every byte of $3 is shown once" $?
    done
}

for file in "$parts"/../completions/*; do
    each "$file" "${file##*/}" "${file##*/}"
done
printf 'a\033[31mb\000c\177\302\233d\342\200\256e\303(\355\240\200\360\237\230\200\360\237\230<b>&amp;"'\'' ↵·⟨x00⟩⟨ESC⟩\r\n\t<!-- </code><script>alert(1)</script> \033]0;x\007 <tool_call>{"name":"<i>\\u001b","arguments":{"\\u001b<b>":"\033[2J</li>"}}</tool_call>' >hostile
each hostile hermes 'a hostile text'
python3 - <<'END'
import random
random.seed(1)
pieces = [b"<tool_call>", b"</tool_call>", b'{"name": "f", "arguments": {"a": ',
          b'"x"', b"}}", b"\x1b[", b"\xff", b"\xe2\x80", b"\xe2\x80\xae", b"\n", b" ", b"&<>",
          b"\0", "\u27e8U+41\u27e9".encode(), "\u6f22".encode(), b"<think>", b"</think>"]
for i in range(8):
    with open(f"soup{i}", "wb") as file:
        file.write(b"".join(random.choices(pieces, k=random.randrange(60))))
with open("long", "wb") as file:
    file.write(b"x" * (1 << 19) + b'<tool_call>{"name":"f","arguments":{"a":"' +
               b"y" * (1 << 19) + b'",}}</tool_call>')
END
for file in soup*; do
    each "$file" hermes "$file"
done
each long hermes 'a line of 1 MB'
"$T" inspect -f hermes long >shown
[ "$(awk '{ if (length > longest) longest = length } END { print longest }' shown)" -lt 300 ]
verdict 'inspect: no row of a long line is long' $?
"$T" inspect -f hermes "$(printf '\033[31m')" 2>err
! grep -q $'\033' err
verdict 'inspect: nor is a file name said as it is' $?
cp hostile "$(printf 'a\033[31m<b>')"
for option in '' --html; do
    # shellcheck disable=SC2086
    "$T" inspect -f hermes $option "$(printf 'a\033[31m<b>')" >shown
    ! grep -q $'\033' shown
    verdict "inspect $option: a file's name is shown harmlessly" $?
done
grep -qF '<h1>a⟨ESC⟩[31m&lt;b&gt;</h1>' shown
verdict 'inspect --html: a file name is escaped' $?

# ---- odd ends and words -----------------------------------------------------

echo '{"format":1,"call":"<c>{python}</c>"}' >python.json
shown python.json '<c>[f(a=True, b=None)]</c>' <<'END'
       0  marker     <c>
       3  structure  [
       4  name       f
       5  structure  (
       6  arguments  a
       7  structure  =
       8  arguments  True,
      13  structure  ·
      14  arguments  b
      15  structure  =
      16  arguments  None
      20  structure  )]
      22  marker     </c>

calls
  0 f call_0, complete, bytes 0 to 21
    a: true
    b: null
END
run '<tool_call>
{"name": "f", "arguments": {"a": 1, "b":' inspect -f hermes
status_is 'inspect: a call that is cut in front of a value' 1
tail -n 3 out >rows
printf '  0 f call_0, incomplete, bytes 0 to 52\n    a: 1\n    b:\n' |
    cmp -s - rows
verdict 'inspect: a key without its value is shown' $?
run "$hermes" inspect -f hermes --max-record 10
status_is 'inspect: a text beyond --max-record' 1
err_has 'inspect: a text beyond --max-record' '-: longer than --max-record'
err_lines 'inspect: a text beyond --max-record' 1

# Where the wire is not what JSON says, the place is found by words and signs.
cat >wanted <<'END'
       0  structure  [
       1  name       f
       2  structure  (
       3  arguments  a
       4  structure  =
       5  arguments  "x\ty
      10  structure  \x01"
      15  arguments  ,
      16  structure  ·
      17  arguments  b
      18  structure  =(
      20  arguments  True,None
      29  structure  ))]

END
run '[f(a="x\ty\x01", b=(True,None))]' inspect -f llama4
sed -n '4,/^$/p' out >rows
cmp -s rows wanted
verdict 'inspect: escapes and words that JSON has not' $?
run "<tool_call>$nl<function=f>$nl<parameter=b>$nl x\"y\"$nl</parameter>$nl</function>$nl</tool_call>" \
    inspect -f qwen3-coder
out_has 'inspect: quotes that JSON escapes' 'arguments  ·x"y"'
printf '[{"name":"f","parameters":{"type":"object","properties":{"b":{"type":"boolean"}},"required":["c","d"]}}]' >tools
run "<tool_call>$nl<function=f>$nl<parameter=b>$nl True$nl</parameter>$nl</function>$nl</tool_call>" \
    inspect -f qwen3-coder --tools tools
out_has 'inspect: another word than that of JSON' '40  arguments  True'
run '<tool_call>{"name":"f","arguments":{}}</tool_call>' \
    inspect -f hermes --tools tools --validate report
[ "$(grep -o 'missing_parameter at 0 (warning): [cd]' out | tr '\n' ' ')" = \
    'missing_parameter at 0 (warning): c missing_parameter at 0 (warning): d ' ]
verdict 'inspect: what is said of one place keeps its order' $?
run $'a\xf3\xa0\x80\x81b' inspect -f hermes
out_has 'inspect: a sign that nobody sees' '0  text       a⟨U+E0001⟩b'
run "$hermes_comma$hermes_comma" inspect --html --show 1 -f hermes
out_has 'inspect --html --show 1' '1 more of these codes (--show N: N of each)'
printf '{"format":1,"name":"one","call":"<c>{raw}","raw_name":"python",
 "end":"<|e|>","stops":"<|e|>"}' >free_text.json
run '<c>x = 1<|e|>' inspect -f free_text.json
[ "$(tail -n 2 out)" = "  0 python call_0, complete, bytes 0 to 8$nl    x = 1" ]
verdict 'inspect: free text is shown as it is' $?

run $'[f(a="x\\ud83d\xc3\xa9\\x01")]' inspect -f llama4
out_has 'inspect: an escape that stays' 'arguments  ud83dé'
run '<|python_tag|>{"name": "f", "parameters": {"a": "b"}}<|eom_id|>' inspect
status_is 'inspect: two formats read it' 1
err_has 'inspect: two formats read it' 'two or more formats read it, differently'

# ---- a terminal -------------------------------------------------------------

# on_terminal VARIABLE=VALUE...: what it writes there.
on_terminal() {
    printf '%s' "$hermes_comma" >comma
    env TERM=xterm "$@" script -qec "'$T' inspect -f hermes comma" /dev/null \
        </dev/null >shown
}
if command -v script >/dev/null; then
    on_terminal NO_COLOR=
    grep -q $'\033\[35m<tool_call>' shown && grep -q $'\033\[1;33mtide' shown
    verdict 'inspect: colours on a terminal' $?
    sed 's/\x1b\[[0-9;]*m//g' shown | tr -d '\r' |
        grep -qF '       0  <tool_call>{"name":"tide","arguments":{},}</tool_call>'
    verdict 'inspect: the wire reads on, on a terminal' $?
    # As many columns as the terminal has, but for extremes.
    printf '%0500d' 0 >digits
    for columns in 10:20 100:90 500:160; do
        env TERM=xterm NO_COLOR= script -qec \
            "stty cols ${columns%:*}; '$T' inspect -f hermes digits" \
            /dev/null </dev/null | sed 's/\x1b\[[0-9;]*m//g' >shown
        grep -qx " *0  0\{${columns#*:}\}.*" shown &&
            ! grep -q "0\{${columns#*:}\}0" shown
        verdict "inspect: a terminal of ${columns%:*} columns" $?
    done
    on_terminal NO_COLOR=1
    ! grep -q $'\033' shown
    verdict 'inspect: NO_COLOR' $?
fi
