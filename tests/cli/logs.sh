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
