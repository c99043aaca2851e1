# SPDX-License-Identifier: MIT
"""What OpenAI's trainer takes of a record, as a schema, and no more."""

TEXT = {'type': str}
PART = {'type': dict, 'required': ['type', 'text'],
        'members': {'type': {'words': ['text']}, 'text': TEXT}}
IMAGE = {'type': dict, 'required': ['type', 'image_url'], 'members': {
    'type': {'words': ['image_url']},
    'image_url': {'type': dict, 'required': ['url'], 'members': {
        'url': TEXT, 'detail': TEXT}}}}
SAID = {'ways': [TEXT, {'type': list, 'items': PART}]}
ASKED = {'ways': [TEXT, {'type': list, 'items': {'ways': [PART, IMAGE]}}]}
CALL = {'type': dict, 'required': ['id', 'type', 'function'], 'members': {
    'id': TEXT, 'type': {'words': ['function']}, 'function': {
        'type': dict, 'required': ['name', 'arguments'],
        'members': {'name': TEXT, 'arguments': TEXT}}}}


def message(role, **members):
    return {'type': dict, 'required': ['role', 'content'], 'members': {
        'role': {'words': [role]}, 'content': SAID, **members}}


TOOL = {'type': dict, 'required': ['type', 'function'], 'members': {
    'type': {'words': ['function']}, 'function': {
        'type': dict, 'required': ['name'], 'members': {
            'name': TEXT, 'description': TEXT, 'parameters': {'type': dict},
            'strict': {'words': [True, False]}}}}}
RECORD = {'type': dict, 'required': ['messages'], 'members': {
    'messages': {'type': list, 'items': {'ways': [
        message('system', name=TEXT), message('developer', name=TEXT),
        message('user', content=ASKED, name=TEXT),
        message('assistant', content={'ways': [SAID, {'words': [None]}]},
                refusal=TEXT, name=TEXT, weight={'words': [0, 1]},
                tool_calls={'type': list, 'items': CALL}),
        {**message('tool', tool_call_id=TEXT),
         'required': ['role', 'content', 'tool_call_id']}]}},
    'tools': {'type': list, 'items': TOOL},
    'parallel_tool_calls': {'words': [True, False]}}}


def fits(value, schema):
    if 'ways' in schema:
        return any(fits(value, each) for each in schema['ways'])
    if 'words' in schema:
        return any(value == each and type(value) is type(each)
                   for each in schema['words'])
    if not isinstance(value, schema['type']):
        return False
    if isinstance(value, list):
        return all(fits(each, schema['items']) for each in value)
    if isinstance(value, dict) and 'members' in schema:
        return set(schema['required']) <= set(value) and all(
            key in schema['members'] and fits(each, schema['members'][key])
            for key, each in value.items())
    return True
