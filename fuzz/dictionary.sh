#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the fuzzing dictionary of a format: the markers of its table, and
# words that stand between them.  fuzz/FORMAT.dict is made with it; with a
# third argument it is checked against that file instead.
# Use: fuzz/dictionary.sh PATH-OF-TOOLWIRE FORMAT [DICT]
set -eu

words() {
    case $1 in
    gemma4) cat <<'END' ;;
call:f{
call:
thought\x0a
a:
,k:
,a:<|\"|>
<|\"|>,
<|\"|>}<tool_call|>
<|tool_call>call:f{
}<tool_call|>
[
{
]
}
(
)
=
\"
'
`
\\
\\u00e9
\\ud83d\\ude00
true
null
None
-1.5e3
\xf0\x9f\x98\x80
\xff
END
    mistral) cat <<'END' ;;
[TOOL_CALLS]f[ARGS]{
[CALL_ID]abcDEF123
{\"a\": 1}
{{
}}
null
True
\\u00e9
\\ud83d\\ude00
\xff
END
    hermes | nemotron) cat <<'END' ;;
{\"name\": \"f\", \"arguments\": {
\"name\": \"f\"
\"arguments\": {
\"arguments\": \"{\\\"a\\\": 
\"parameters\": {}
\"function\": {
\"id\": \"c\"
\"type\": \"function\"
<function=f>
</function>
<parameter=a>
</parameter>
<arg_key>
</arg_key>
<arg_value>
</arg_value>
```json\x0a
\x0a```
}}\x0a</tool_call>
{{
,}
,]
\\n
\\\"
\\u00e9
\\ud83d\\ude00
'
True
None
-1.5e3
\xc2\xa0
\xef\xbb\xbf
\xff
END
    harmony) cat <<'END' ;;
<|start|>assistant
<|channel|>analysis<|message|>
<|channel|>final<|message|>
<|channel|>commentary to=functions.f <|constrain|>json<|message|>{
 to=functions.f
 to=python
 to=assistant
functions.
assistant
analysis
commentary
final
user
tool
json
code
assistantfinal
assistantcommentary to=functions.fjson{
\"a\": 1
\"{\\\"a\\\": 
}<|call|>
{{
,}
\\n
\\ud83d\\ude00
'
None
-1.5e3
\xe2\x80\x8b
\xff
END
    *) return 1 ;;
    esac
}

print() {
    echo "# Made by fuzz/dictionary.sh $2"
    # JSON's escapes of a marker are those of a dictionary.
    "$1" formats --json | grep "^{\"name\":\"$2[\"/]" | head -n 1 |
        grep -o '"text":"\([^"\\]\|\\.\)*"' | sed 's/^"text"://'
    words "$2" | sed 's/.*/"&"/'
}

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "use: $0 PATH-OF-TOOLWIRE FORMAT [DICT]" >&2
    exit 2
fi
if [ $# -eq 2 ]; then
    print "$1" "$2"
elif print "$1" "$2" | diff - "$3" >&2; then
    echo "1 passed, 0 failed"
else
    echo "$3 is old: make it with $0 $1 $2" >&2
    echo "0 passed, 1 failed"
    exit 1
fi
