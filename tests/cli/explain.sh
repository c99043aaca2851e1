# SPDX-License-Identifier: MIT
#
# explain: each code has a cause, an example that gives it, and a remedy.
# A part of tests/cli.sh.

# part NAME: what the page says behind that word.
part_of_page() { sed -n "s/^$1: *//p" page; }

"$T" explain --all >codes
[ "$(lines codes)" -gt 150 ]
verdict 'explain --all: there are codes' $?
while read -r code number _; do
    "$T" explain "$code" >page
    [ "$(grep -cE '^(cause|example|remedy): +[^ ]' page)" -eq 3 ]
    verdict "explain $code: cause, example and remedy" $?
    part_of_page cause | cat - <(part_of_page remedy) | grep -vq '\.$'
    [ $? -eq 1 ]
    verdict "explain $code: whole sentences" $?
    # A program alone can make these mistakes.
    case $number in -1 | -2 | -3) continue ;; esac
    # Errors are lines of their own, and so are counts and reports.
    part_of_page example >example
    PATH="$work/bin:$PATH" sh -c "$(cat example)" 2>&1 </dev/null | cat >out
    grep -qE "(: |\"code\":\")$code(: |\")" out
    verdict "explain $code: the example gives it: $(cat example)" $?
done <codes
run '' explain trailing_comma
out_is 'explain' 'trailing_comma (6, deviation)
A comma stands before a closer; it is dropped.
cause:   The model wrote the call as Python or JavaScript would take it.
example: printf '\''<tool_call>{"name":"f","arguments":{},}</tool_call>'\'' | toolwire check -f hermes
remedy:  None is needed: the reading is safe.  If it comes often, lower the temperature, or refuse it with --strict.
'

# ---- words for the model -----------------------------------------------------

echo '[{"name":"tide","parameters":{"properties":{"day":{"type":"integer"}}}}]' \
    >words_tools.json
echo '{"tool_calls":[{"id":"a","function":{"name":"tide","arguments":"{\"day\": \"x\"}"}}]}' \
    >words.jsonl
run '' explain --for-model --tools words_tools.json words.jsonl
out_is 'explain --for-model' 'Your call of `tide` was not run. `day` has to be of type integer, but was "x". Call the tool again with arguments that fit.
'
run '' explain --for-model --json --tools words_tools.json words.jsonl
out_is 'explain --for-model --json' '[{"role":"tool","tool_call_id":"a","content":"Your call of `tide` was not run. `day` has to be of type integer, but was \"x\". Call the tool again with arguments that fit."}]
'
run '' explain --for-model words.jsonl
out_is 'explain --for-model without tools' ''
run '{"a":' explain --for-model
[ "$status" -eq 1 ] && grep -q 'not JSON' err
verdict 'explain --for-model of what is no JSON' $?
