/* SPDX-License-Identifier: MIT
 *
 * What --validate tells of calls.
 */
#include "cli/explain/rows.h"

static const char again[] =
    "Send the path and the rule back as the tool's result, and let the model "
    "try again.  --validate refuse makes an error of it.";

const cli_explanation cli_explained_schemas[] = {
    {TW_DIAGNOSTIC_MISSING_PARAMETER,
     "The model left out what the schema of the tool requires.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"port\": "
     "{}}, \"required\": [\"port\"]}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>' | "
     "toolwire check -f hermes --tools tools.json --validate report",
     again},
    {TW_DIAGNOSTIC_UNKNOWN_PARAMETER,
     "The model made up a parameter, or wrote the name of one otherwise.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"port\": "
     "{}}}}]' >tools.json && printf '<tool_call>{\"name\": \"tide\", "
     "\"arguments\": {\"harbour\": \"Brest\"}}</tool_call>' | toolwire check "
     "-f hermes --tools tools.json --validate report",
     "Have the tool refuse it, or pass it on only if it takes others.  What "
     "the schema means to be open says so: additionalProperties."},
    {TW_DIAGNOSTIC_PARAMETER_TYPE,
     "The model wrote a value of another type, often a number as text.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"day\": "
     "{\"type\": \"integer\"}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"day\": "
     "\"2\"}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate report",
     again},
    {TW_DIAGNOSTIC_PARAMETER_VALUE,
     "The model wrote a word that the schema does not list.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"unit\": "
     "{\"enum\": [\"m\", \"ft\"]}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"unit\": "
     "\"km\"}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate report",
     again},
    {TW_DIAGNOSTIC_PARAMETER_RANGE,
     "A number is too small or too great, a text or a list too short or too "
     "long.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"day\": "
     "{\"minimum\": 1}}}}]' >tools.json && printf '<tool_call>{\"name\": "
     "\"tide\", \"arguments\": {\"day\": 0}}</tool_call>' | toolwire check -f "
     "hermes --tools tools.json --validate report",
     again},
    {TW_DIAGNOSTIC_PARAMETER_PATTERN,
     "The model wrote a text in another form than the schema asks for.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"day\": "
     "{\"pattern\": \"^[0-9]{4}-\"}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"day\": "
     "\"Monday\"}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate report",
     again},
    {TW_DIAGNOSTIC_PARAMETER_RULE,
     "A value fits none of the ways that the schema allows, or one that it "
     "forbids.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"day\": "
     "{\"not\": {\"type\": \"null\"}}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"day\": "
     "null}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate report",
     again},
    {TW_DIAGNOSTIC_PARAMETER_MENDED,
     "The model wrote a text where the schema has a number, a truth value, "
     "null, a list or an object, or one value where it has a list.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"day\": "
     "{\"type\": \"integer\"}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"day\": "
     "\"5\"}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate mend",
     "Nothing: the value fits now.  --validate report gives it as it came."},
    {TW_DIAGNOSTIC_SCHEMA_UNREAD,
     "The schema has a reference to elsewhere, a pattern with look-around, or "
     "a keyword that is not checked.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"properties\": {\"port\": "
     "{\"$ref\": \"https://example.org/port\"}}}}]' >tools.json && printf "
     "'<tool_call>{\"name\": \"tide\", \"arguments\": {\"port\": "
     "1}}</tool_call>' | toolwire check -f hermes --tools tools.json "
     "--validate report",
     "Write the schema into the tool, or check this keyword elsewhere: the "
     "rest was checked."},
    {TW_DIAGNOSTIC_SCHEMA_BROKEN,
     "A type is misspelt, or a keyword has a list, a text or a number where "
     "an "
     "object belongs.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"type\": "
     "\"objct\"}}]' >tools.json && printf '<tool_call>{\"name\": \"tide\", "
     "\"arguments\": {}}</tool_call>' | toolwire check -f hermes --tools "
     "tools.json --validate report",
     "Mend the schema at the path: the rest was checked."},
    {TW_DIAGNOSTIC_SCHEMA_LIMIT,
     "The schema refers to itself without an end, or has too many ways to be "
     "fitted.",
     "echo '[{\"name\": \"tide\", \"parameters\": {\"$ref\": \"#\"}}]' "
     ">tools.json && printf '<tool_call>{\"name\": \"tide\", "
     "\"arguments\": {}}</tool_call>' | toolwire check -f hermes --tools "
     "tools.json --validate report",
     "Write a smaller schema, or check these calls elsewhere."},
    {TW_DIAGNOSTIC_UNCHECKED_CALL,
     "--validate was given, and neither --tools nor the record says which "
     "tools there are.",
     "printf '<tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>' "
     "| toolwire check -f hermes --validate report",
     "Give the tools that the request declared: --tools FILE.  Records with "
     "\"tools\" need none."},
    {0, NULL, NULL, NULL},
};
