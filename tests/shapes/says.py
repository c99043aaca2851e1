# SPDX-License-Identifier: MIT
"""What a record says, however it spells it, and what of one another one
lacks."""
import json
import re


class Spelled(str):
    """A number as it is spelled."""


def read(line):
    return json.loads(line, parse_int=Spelled, parse_float=Spelled)


def leaves(value, path=''):
    """The members of a record that hold something, without indices."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, path + '.' + key if path else key)
    elif isinstance(value, list) and value:
        for each in value:
            yield from leaves(each, path + '[]')
    else:
        yield path


def is_void(value):
    return not isinstance(value, bool) and (value is None or value == '' or
                                            value == [] or value == {})


def is_no_schema(name, value):
    """A function without parameters has this one."""
    return name in OWN and isinstance(value, dict) and \
        value.get('type') == 'object' and not value.get('properties') and \
        not value.get('required') and \
        set(value) <= {'type', 'properties', 'required'}


TEXTS = 'text', 'input_text', 'output_text'


def one_text(value):
    """A list of one text part, or a block, is the text."""
    if isinstance(value, list) and len(value) == 1 and \
            isinstance(value[0], dict) and value[0].get('type') in TEXTS and \
            set(value[0]) == {'type', 'text'}:
        return value[0]['text']
    return value


def inner(value):
    """JSON text of an object or a list is what it means."""
    if isinstance(value, str) and not isinstance(value, Spelled) and \
            value[:1] in ('{', '['):
        try:
            return read(value)
        except ValueError:
            return value
    return value


OWN = ('arguments', 'input', 'args', 'parameters', 'input_schema', 'response',
       'parametersJsonSchema', 'metadata')


TEXTS_OF_JSON = 'tools', 'answers', 'value', 'output', 'content'


def plain(value, key=''):
    """What means the same is the same."""
    if key in OWN and not isinstance(value, list) and not (
            isinstance(value, dict) and ('body' in value or
                                         'messages' in value)):
        return inner(value)
    if isinstance(value, dict):
        return {name: plain(each, name) for name, each in value.items()
                if not is_void(inner(each)) and not is_no_schema(name, each)}
    if isinstance(value, list):
        value = [plain(each) for each in value]
        return one_text(value) if key in ('content', 'output', 'system') \
            else value
    means = inner(value) if key in TEXTS_OF_JSON else value
    return plain(means) if means is not value else value


def moved_up(front, back):
    """Both begin with the same messages: that is their prompt."""
    prompt = []
    while len(front) > 1 and len(back) > 1 and front[0] == back[0]:
        prompt.append(front[0])
        front, back = front[1:], back[1:]
    return prompt, front, back


def same_trl(it):
    for key, role in (('prompt', 'user'), ('chosen', 'assistant'),
                      ('rejected', 'assistant')):
        if isinstance(it.get(key), str):
            it[key] = [{'role': role, 'content': it[key]}]
    if 'prompt' not in it:
        it['prompt'], it['chosen'], it['rejected'] = moved_up(
            it['chosen'], it['rejected'])
    return it


def same_trajectory(it):
    return {'trajectory' if key in ('traj', 'history') else key: value
            for key, value in it.items()}


def same_responses(it):
    """Instructions are a system's item, and a text is a user's; raw reasoning
    and its summary have one place."""
    items = it.get('input', [])
    if isinstance(items, str):
        items = [{'role': 'user', 'content': items}]
    if isinstance(it.get('instructions'), str):
        items = [{'role': 'system', 'content': it.pop('instructions')}] + items
    for each in items + it.get('output', []):
        if each.get('type') == 'message':
            del each['type']
        if each.get('status') == 'completed':
            del each['status']
        each['type'] = each.get('type', '').replace('custom_tool_call_output',
                                                    'function_call_output')
        if each.get('type') == 'reasoning' and 'content' not in each and \
                'summary' in each:
            each['content'] = each.pop('summary')
        for part in each.get('content', []):
            if isinstance(part, dict) and part.get('type') == 'summary_text':
                part['type'] = 'reasoning_text'
    return dict(it, input=items) if items else it


def same_anthropic(it):
    for tool in it.get('tools', []):
        if tool.get('type') == 'custom':
            del tool['type']
    return it


def same_glaive(it):
    """Blanks and how JSON is laid out are free."""
    for key in ('system', 'chat'):
        if key in it:
            it[key] = re.sub(r'\s', '', it[key]).replace(
                ',"parameters":{"type":"object","properties":{}}', '')
    return it


def same_xlam(it):
    """What is optional, since it has a default, need not say so."""
    for tool in it.get('tools', []):
        for parameter in tool.get('parameters', {}).values():
            if 'default' in parameter and isinstance(parameter.get('type'),
                                                     str):
                parameter['type'] = parameter['type'].split(',')[0]
    return it


def same_adp(it):
    """Why something is said is reasoning; a result is that of the action with
    its id, or else of the next one, whose name stands for it."""
    said, waiting, before = {}, [], None
    for part in it['content']:
        action = part['class_'] == 'api_action'
        if part['class_'] == 'message_action' and 'description' in part:
            part['reasoning_content'] = part.pop('description')
        if action:
            if before != 'api_action' or 'description' in part or \
                    'reasoning_content' in part:
                waiting = []
            waiting.append(part['function'])
            said[part.get('tool_call_id')] = part['function']
        elif part.get('source') == 'environment' and waiting:
            name = said[part['tool_call_id']] if 'tool_call_id' in part \
                else waiting[0]
            waiting.remove(name)
            part['tool_call_id'] = 'the call of %s' % name
        before = part['class_']
    return it


def same_batch(it):
    for at in (it, it.get('response', {})):
        if 'body' in at and ('input' in at['body'] or 'output' in at['body']):
            at['body'] = same_responses(at['body'])
    if 'params' in it:
        it['params'] = same_anthropic(it['params'])
    return it


SAME = {'adp': same_adp, 'trl': same_trl, 'trajectory': same_trajectory, 'batch': same_batch,
        'responses': same_responses, 'anthropic': same_anthropic,
        'glaive': same_glaive, 'xlam': same_xlam}


def says(shape, line):
    it = plain(read(line))
    return tie(SAME[shape](it) if shape in SAME else it)


def tie(value):
    """Which call a result answers counts, not the id: no two of a turn have one
    name."""
    said = {}

    def note(it):
        for key in ('id', 'call_id'):
            what = it.get('function', it.get('custom', it))
            what = what if isinstance(what, dict) else it
            if isinstance(it.get(key), str) and 'name' in what:
                said[it[key]] = 'the call of %s' % what['name']
        if 'function_name' in it and isinstance(it.get('tool_call_id'), str):
            said[it['tool_call_id']] = 'the call of %s' % it['function_name']

    def answer(it):
        kind = it.get('type')
        for key in ('tool_call_id', 'tool_use_id', 'source_call_id'):
            if key in it and 'function_name' not in it:
                it[key] = said.get(it[key], it[key])
        if isinstance(kind, str) and kind.endswith('_output') and \
                'call_id' in it:
            it['call_id'] = said.get(it['call_id'], it['call_id'])
        given = it.get('functionResponse')
        if isinstance(given, dict) and 'id' in given:
            given['id'] = said.get(given['id'], given['id'])
        return it

    def change(it):
        if isinstance(it, dict):
            note({key: each for key, each in it.items()
                  if key != 'functionResponse'})
            # Steps are counted anew.
            return answer({key: change(each) for key, each in it.items()
                           if key != 'step_id'})
        return [change(each) for each in it] if isinstance(it, list) else it

    return change(value)


# After these something stands where nothing stood.
MOVED = {'content_moved', 'call_order', 'result_misplaced', 'content_misread',
         'parts_joined', 'texts_joined', 'role_changed', 'message_merged', 'call_form'}


# Ids of calls that have none are made up, and what is around a conversation
# where a shape has to have something there.
MADE = ('id', 'tool_call_id', 'call_id', 'tool_use_id', 'type', 'status',
        'source_call_id')
ENVELOPES = ('choices', 'input', 'object', 'type', 'role', 'stop_reason', 'status',
             'output', 'candidates', 'custom_id', 'response', 'result',
             'schema_version', 'session_id', 'agent')


# After these the value is nowhere.
GONE = {'part_not_text', 'content_dropped', 'message_dropped',
        'reasoning_dropped', 'refusal_dropped', 'call_dropped', 'tool_dropped',
        'tool_part', 'member_dropped', 'call_id', 'author_name', 'result_name',
        'call_order', 'content_moved', 'result_error_flag', 'content_misread', 'member_replaced'}
# Texts that became one, of which the first is where it was.
JOINED = '.text', '.thinking', '.thought', 'input'


def with_joined(lost):
    """What was joined to another text is part of that one, too."""
    out = list(lost)
    for path, code in lost:
        if code == 'role_changed':
            out.append((path.rsplit('.', 1)[0], code))
        if code == 'texts_joined' and path == 'input':
            out.append(('instruction', code))
        if code in ('texts_joined', 'reasoning_dropped') and \
                path.endswith('.text'):
            out.append((path[:-len('.text')] + '.thought', code))
    return out


def is_empty(message):
    """No call at all may have an answer that says nothing."""
    return isinstance(message, dict) and all(
        key in ('role', 'type', 'from', 'status') for key in message)


class Difference:
    """The paths of |left| that |right| does not have as they are."""

    def __init__(self, lost, kept):
        self.kept = kept
        lost = with_joined(lost)
        self.reported = {path for path, _ in lost}
        self.gone = {path for path, code in lost if code in GONE or
                     code == 'role_changed' or (
            code in MOVED and path.endswith(JOINED))}
        self.moved = any(code in MOVED for _, code in lost)
        self.forms = {path for path, code in lost if code == 'call_form'}

    def of(self, left, right, path=''):
        if path in self.reported or left == right or \
                path + '.type' in self.forms:
            return []
        if isinstance(left, dict) and isinstance(right, dict):
            return self.of_objects(left, right, path)
        if isinstance(left, list) and isinstance(right, list):
            return self.of_lists(left, right, path)
        if isinstance(left, list) and isinstance(right, str) and any(
                isinstance(each, dict) and each.get('text') == right
                for each in left):
            return self.of_lists(left, [{'type': each.get('type'), 'text':
                                         right} for each in left
                                        if each.get('text') == right], path)
        return self.inside(left, path)

    def inside(self, value, path):
        """All that is here is gone: is it said of each part of it?"""
        if path in self.gone or is_void(value):
            return []
        if isinstance(value, dict):
            return [each for key, part in value.items()
                    for each in self.inside(part, path + '.' + key
                                            if path else key)
                    if key not in ('type', 'role')] or \
                ([] if self.has(path) or self.kept else [path])
        if isinstance(value, list):
            return [each for i, part in enumerate(value)
                    for each in self.inside(part, '%s[%d]' % (path, i))]
        return [] if str(value) in self.kept else [path]

    def has(self, path):
        """Was something inside reported?"""
        return any(each.startswith(path + '.') or each.startswith(path + '[')
                   for each in self.reported)

    def of_objects(self, left, right, path):
        out = []
        for key, value in left.items():
            below_it = path + '.' + key if path else key
            if key in right:
                out += self.of(value, right[key], below_it)
            elif key == 'id' and str(value).startswith('the call of'):
                continue # where calls lost theirs, which is said there
            else:
                out += self.inside(value, below_it)
        for key in right:
            if key not in left and not self.moved and \
                    key not in MADE and (path or key not in ENVELOPES) and \
                    (key, left.get('role')) != ('name', 'tool') and \
                    (key, right[key]) != ('tool_choice', 'auto'):
                out.append('made up: %s.%s' % (path, key))
        return out

    def of_lists(self, left, right, path):
        """The best of all ways to lay one list beside the other."""
        best = [[None] * (len(right) + 1) for _ in range(len(left) + 1)]
        for i in range(len(left), -1, -1):
            here = '%s[%d]' % (path, i)
            for j in range(len(right), -1, -1):
                ways = []
                if i < len(left) and j < len(right):
                    ways.append(self.of(left[i], right[j], here) +
                                best[i + 1][j + 1])
                if i < len(left):
                    ways.append(self.inside(left[i], here) + best[i + 1][j])
                if j < len(right):
                    ways.append(([] if self.moved or is_empty(right[j]) else [
                        'made up: ' + here]) + best[i][j + 1])
                best[i][j] = min(ways, key=len) if ways else []
        return best[0][0]


