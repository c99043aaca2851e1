# SPDX-License-Identifier: MIT
"""Random records of each shape, with all members that the shape has."""
from values import (Calls, R, arguments, image, may, name, number, once, packed,
                    schema, some, text, word)

# ---- openai ----------------------------------------------------------------

def text_part():
    return may({'type': 'text', 'text': text('part')}, 0.1, odd=1,
               prompt_cache_breakpoint=lambda: {'mode': 'explicit'})


def openai_image():
    return may({'type': 'image_url', 'image_url': may({'url': image()}, 0.2,
                                                      detail='high')}, 0.1,
               odd=1)


def content(images=False):
    """A text, or several parts: one alone would be the same as a text."""
    if once(0.7):
        return text('content')
    parts = [text_part() for _ in range(R.randint(2, 3))]
    if images and once(0.6):
        parts.insert(R.randint(0, 2), word(openai_image, lambda: {
            'type': 'input_audio', 'input_audio': {'data': 'UklG',
                                                   'format': 'wav'}},
            lambda: {'type': 'file', 'file': {'file_id': name('file')}})())
    return parts


def openai_call(it, as_object, custom):
    if custom:
        return {'id': it['id'], 'type': 'custom', 'custom': {
            'name': it['name'], 'input': text('input')}}
    args = it['args'] if as_object else packed(it['args'])
    return may({'id': it['id'], 'type': 'function', 'function': may({
        'name': it['name'], 'arguments': args}, 0.05, odd=1)}, 0.05, odd=1,
        extra_content=lambda: {'google': {'thought_signature': name()}})


def openai_answer(calls, calling, as_object=False, custom=True):
    it = {'role': 'assistant', 'content': content()}
    may(it, 0.3, reasoning_content=lambda: text('why'))
    if calling:
        it['content'] = None if once(0.6) else it['content']
        it['tool_calls'] = [
            openai_call(call, as_object, custom and once(0.1))
            for call in [calls.call() for _ in range(R.randint(1, 3))]]
    elif once(0.1):
        it['content'] = None
        it['refusal'] = text('no')
    return may(it, 0.07, name=name, weight=lambda: R.randint(0, 1), odd=7,
               audio=lambda: {'id': name('audio')},
               annotations=lambda: [{'type': 'url_citation', 'url_citation': {
                   'start_index': 0, 'end_index': 1, 'title': text('title'),
                   'url': 'https://example.org/'}}])


def openai_results(calls):
    return [may({'role': 'tool', 'tool_call_id': call['id'], 'content':
                 word(content, lambda: packed({'result': text('r'), 'n': 1.50}),
                      lambda: packed({'result': text('alone')}),
                      lambda: packed([1, 2]))()}, 0.08, name=call['name'],
                odd=1)
            for call in calls.answered()]


def openai_messages(as_object=False, ends_in_answer=False, custom=True):
    calls, out = Calls(), []
    if once(0.5):
        out.append(may({'role': word('system', 'system', 'developer'),
                        'content': content()}, 0.1, name=name, odd=1))
    for _ in range(R.randint(1, 3)):
        out.append(may({'role': 'user', 'content': content(True)}, 0.1,
                       name=name, odd=1))
        while once(0.5):
            out.append(openai_answer(calls, True, as_object, custom))
            out += openai_results(calls)
        out.append(openai_answer(calls, False, as_object, custom))
        if once(0.05):
            out.append({'role': word('system', 'developer'),
                        'content': content()})
    if not ends_in_answer and once(0.3):
        out.append({'role': 'user', 'content': content(True)})
    elif out[-1]['role'] != 'assistant':
        out.append({'role': 'assistant', 'content': text()})
    return out


def openai_tool(custom=True):
    if custom and once(0.1):
        return {'type': 'custom', 'custom': may(
            {'name': name()}, 0.5, description=text,
            format=lambda: {'type': 'text'})}
    return may({'type': 'function', 'function': may(
        {'name': name()}, 0.6, description=text, parameters=schema,
        strict=True)}, 0.05, odd=1)


def openai_choices(it):
    return may(it, 0.2, parallel_tool_calls=lambda: word(True, False),
               tool_choice=lambda: word('auto', 'none', 'required', {
                   'type': 'function', 'function': {'name': 'f1'}}))


def openai(custom=True):
    it = {'messages': openai_messages(custom=custom)}
    may(it, 0.5, tools=lambda: some(lambda: openai_tool(custom), 1))
    return may(openai_choices(it), 0.2, model='m', temperature=0.70, id=number,
               metadata=lambda: {'a': text()}, odd=lambda: [None, {}])


def huggingface():
    it = {'messages': openai_messages(as_object=True, custom=False)}
    may(it, 0.5, tools=lambda: some(lambda: openai_tool(False), 1))
    return may(openai_choices(it), 0.2, source='s', odd=1)


# ---- envelopes of it -------------------------------------------------------

def usage():
    return {'prompt_tokens': number(), 'completion_tokens': 4}


def completion():
    it = may({'object': 'chat.completion'}, 0.8, id=name, created=5, model='m',
             usage=usage, system_fingerprint='fp', odd=1)
    calls = Calls()
    if once(0.5):
        it['messages'] = [{'role': 'user', 'content': content(True)}]
    it['choices'] = [may({'index': 0, 'message': openai_answer(
        calls, once(0.4)), 'finish_reason': word('stop', 'tool_calls')}, 0.3,
        logprobs=lambda: {'content': [{'token': text(), 'logprob': -0.5}]},
        odd=1)]
    if once(0.2):
        it['choices'].append({'index': 1, 'message': {
            'role': 'assistant', 'content': text()}, 'finish_reason': 'stop'})
    return may(it, 0.3, tools=lambda: some(openai_tool, 1))


def batch():
    kind = R.randrange(6)
    if kind < 2:
        body = (openai if kind == 0 else responses_request)()
        return may({'custom_id': name('r'), 'method': 'POST', 'url': (
            '/v1/chat/completions' if kind == 0 else '/v1/responses'),
            'body': body}, 0.1, odd=1)
    if kind < 4:
        body = completion() if kind == 2 else responses_response()
        body.pop('messages', None)
        return may({'id': name('b'), 'custom_id': name('r'), 'response': {
            'status_code': 200, 'request_id': name('q'), 'body': body},
            'error': None}, 0.1, odd=1)
    if kind == 4:
        return {'custom_id': name('r'), 'params': dict(
            anthropic_request(), model='m')}
    return {'custom_id': name('r'), 'result': {
        'type': 'succeeded', 'message': anthropic_response()}}


def trajectory():
    key = word('trajectory', 'traj', 'history')
    it = {key: openai_messages(custom=False)}
    for message in it[key]:
        if message['role'] == 'assistant':
            may(message, 0.2, agent='main', action=text, thought=text)
    return may(it, 0.3, tools=lambda: some(lambda: openai_tool(False), 1),
               instance_id=name, reward=0.50, odd=1)


def atif_content():
    return text('content') if once(0.7) else [
        {'type': 'text', 'text': text('part')} for _ in range(2)]


def atif_step(number_of_step, calls):
    it = may({'step_id': number_of_step, 'source': 'agent',
              'message': atif_content()}, 0.1, odd=1,
             reasoning_content=lambda: text('why'),
             timestamp='2026-02-01T08:00:00Z', model_name='m',
             metrics=lambda: {'prompt_tokens': number()})
    if once(0.6):
        it['tool_calls'] = [may({
            'tool_call_id': call['id'], 'function_name': call['name'],
            'arguments': call['args']}, 0.05, odd=1)
            for call in [calls.call() for _ in range(R.randint(1, 3))]]
        it['observation'] = {'results': [may({
            'source_call_id': call['id'], 'content': atif_content()}, 0.05,
            odd=1) for call in calls.answered()]}
    return it


def atif():
    calls = Calls()
    steps = [] if once(0.5) else [
        {'step_id': 1, 'source': 'system', 'message': text('system')}]
    for _ in range(R.randint(1, 3)):
        steps.append({'step_id': len(steps) + 1, 'source': 'user',
                      'message': atif_content()})
        for _ in range(R.randint(1, 2)):
            steps.append(atif_step(len(steps) + 1, calls))
    agent = may({'name': 'agent', 'version': '1'}, 0.3, model_name='m', odd=1,
                tool_definitions=lambda: some(lambda: openai_tool(False), 1))
    return may({'schema_version': 'ATIF-v1.6', 'session_id': name('s'),
                'agent': agent, 'steps': steps}, 0.3, notes=text, odd=1,
               final_metrics=lambda: {'total_steps': len(steps)})


def adp():
    parts, linked = [], once(0.5)
    for _ in range(R.randint(1, 3)):
        parts.append(may({'class_': 'text_observation',
                          'content': text('content'), 'source': 'user'}, 0.05,
                         odd=1, name=name))
        if once(0.6):
            ids = [name('c') for _ in range(R.randint(1, 2))]
            for i, own in enumerate(ids):
                parts.append(may({
                    'class_': 'api_action', 'function': name(),
                    'kwargs': arguments()}, 0.1, odd=1))
                if i == 0 and once(0.5):
                    parts[-1]['description'] = text('thought')
                if i == 0 and once(0.3):
                    parts[-1]['reasoning_content'] = text('why')
                if linked:
                    parts[-1]['tool_call_id'] = own
            for own in R.sample(ids, len(ids)) if linked else ids:
                parts.append({'class_': 'text_observation',
                              'content': text('seen'),
                              'source': 'environment'})
                if linked:
                    parts[-1]['tool_call_id'] = own
        parts.append(may({'class_': 'message_action',
                          'content': text('content')}, 0.2, odd=1,
                         **{word('description', 'reasoning_content'):
                            lambda: text('thought')}))
    return may({'id': name(), 'content': parts}, 0.3, odd=1,
               details=lambda: {'split': 'train'})


def answers():
    return [openai_answer(Calls(), once(0.3))]


def preference():
    asked = may({'messages': [{'role': 'user', 'content': content(True)}]},
                0.4, tools=lambda: some(openai_tool, 1),
                parallel_tool_calls=False, odd=1)
    return may({'input': asked, 'preferred_output': answers(),
                'non_preferred_output': answers()}, 0.2, odd=1, id=name)


def trl():
    if once(0.3):
        return may({'prompt': text(), 'chosen': text(), 'rejected': text()},
                   0.3, odd=1, score_chosen=0.5)
    it = {'chosen': answers(), 'rejected': answers()}
    if once(0.8):
        it['prompt'] = [{'role': 'user', 'content': content(True)}]
    else:
        asked = {'role': 'user', 'content': content(True)}
        it['chosen'] = [asked] + it['chosen']
        it['rejected'] = [asked] + it['rejected']
    return may(it, 0.2, tools=lambda: some(openai_tool, 1), odd=1,
               score_chosen=0.5)


# ---- responses -------------------------------------------------------------

def input_part():
    return may({'type': 'input_text', 'text': text('part')}, 0.1, odd=1)


def input_parts(more):
    """A text, or parts."""
    if once(0.6):
        return text('content')
    parts = [input_part(), input_part()]
    if more and once(0.7):
        parts.append(word(
            lambda: may({'type': 'input_image', 'image_url': image()}, 0.3,
                        detail='low'),
            lambda: {'type': 'input_image', 'file_id': name('file')},
            lambda: {'type': 'input_file', 'filename': 'a.pdf',
                     'file_url': 'https://example.org/a.pdf'})())
    return parts


def output_message():
    part = may({'type': 'output_text', 'text': text('part')}, 0.15, odd=1,
               annotations=lambda: [{'type': 'url_citation', 'url': 'u'}],
               logprobs=lambda: [{'token': 'a', 'logprob': -1.50}])
    if once(0.1):
        part = {'type': 'refusal', 'refusal': text('no')}
    return may({'type': 'message', 'role': 'assistant', 'content': [part]},
               0.2, id=lambda: name('msg_'), status='completed',
               phase='final_answer', odd=1)


def reasoning_item():
    it = {'type': 'reasoning'}
    texts = [may({'type': 'reasoning_text', 'text': text('why')}, 0.1, odd=1)
             for _ in range(R.choice([1, 1, 2]))]
    if once(0.5):
        it['content'] = texts
        it['summary'] = [] if once(0.7) else [
            {'type': 'summary_text', 'text': text('short')}]
    else:
        it['summary'] = [dict(each, type='summary_text') for each in texts]
    return may(it, 0.3, id=lambda: name('rs_'), status='completed',
               encrypted_content=lambda: name('x'))


def response_call(it):
    if it['custom']:
        return may({'type': 'custom_tool_call', 'call_id': it['id'],
                    'name': it['name'], 'input': text('input')}, 0.2,
                   id=lambda: name('ct_'), namespace='n')
    return may({'type': 'function_call', 'call_id': it['id'],
                'name': it['name'], 'arguments': packed(it['args'])}, 0.2,
               id=lambda: name('fc_'), status='completed', namespace='n',
               caller=lambda: {'type': 'direct'})


def server_item():
    return {'type': word('web_search_call', 'mcp_call', 'item_reference',
                         'compaction'), 'id': name('s'), 'odd': text()}


def answer_items(calls, calling):
    out = [reasoning_item()] if once(0.3) else []
    if once(0.05):
        out.append(server_item())
    if not calling or once(0.4):
        out.append(output_message())
    for _ in range(R.randint(1, 3) if calling else 0):
        call = calls.call()
        call['custom'] = once(0.1)
        out.append(response_call(call))
    return out


def result_item(call):
    kind = 'custom_tool_call' if call['custom'] else 'function_call'
    return may({'type': kind + '_output', 'call_id': call['id'],
                'output': input_parts(True)}, 0.2, id=lambda: name('o'),
               status='completed')


def response_items():
    calls, out = Calls(), []
    for _ in range(R.randint(1, 3)):
        out.append(may({'role': 'user', 'content': input_parts(True)}, 0.2,
                       type='message', odd=1))
        if once(0.1):
            out.append({'role': word('system', 'developer'),
                        'content': input_parts(False)})
        while once(0.4):
            out += answer_items(calls, True)
            out += [result_item(call) for call in calls.answered()]
        out += answer_items(calls, False)
        calls.answered()
    return out


def response_tool():
    return word(
        lambda: may({'type': 'function', 'name': name()}, 0.5, strict=True,
                    description=text, parameters=schema, odd=1),
        lambda: may({'type': 'custom', 'name': name()}, 0.5, description=text,
                    format=lambda: {'type': 'text'}),
        lambda: {'type': 'web_search', 'odd': text()})()


def response_rest(it):
    may(it, 0.3, instructions=lambda: text('system'), model='m', odd=1,
        tools=lambda: some(response_tool, 1),
        parallel_tool_calls=False, tool_choice=lambda: word('auto', may({
            'type': 'function', 'name': 'f1'}, 0.3, odd=1),
            {'type': 'web_search'}))
    return it


def responses_request():
    return response_rest({'input': response_items()} if once(0.8) else
                         {'input': text(), 'model': 'm'})


def responses_response():
    return response_rest(may({
        'object': 'response', 'status': 'completed',
        'output': answer_items(Calls(), once(0.5))}, 0.5, id=name,
        created_at=5, usage=usage, error=None, incomplete_details=None))


def responses():
    return (responses_request if once(0.6) else responses_response)()


# ---- anthropic -------------------------------------------------------------

def text_block():
    return may({'type': 'text', 'text': text('part')}, 0.1, odd=1,
               citations=lambda: [{'type': 'char_location', 'title': text()}],
               cache_control=lambda: {'type': 'ephemeral'})


def image_block():
    return may({'type': 'image', 'source': word(
        {'type': 'base64', 'media_type': 'image/png',
         'data': 'iVBO%d' % number()},
        {'type': 'url', 'url': 'https://example.org/%d' % number()},
        {'type': 'file', 'file_id': name('file')})}, 0.1, odd=1,
        cache_control=lambda: {'type': 'ephemeral'})


def blocks(images):
    if once(0.5):
        return text('content')
    out = [text_block(), text_block()]
    if images and once(0.5):
        out.insert(R.randint(0, 2), word(image_block, lambda: {
            'type': 'document', 'source': {'type': 'text', 'data': text()},
            'title': text()}, lambda: {
            'type': 'search_result', 'source': 's', 'title': text(),
            'content': [{'type': 'text', 'text': text()}]})())
    return out


def answer_blocks(calls, calling):
    out = []
    if once(0.3):
        out += [may({'type': 'thinking', 'thinking': text('why')}, 0.4,
                    signature=name) for _ in range(R.choice([1, 1, 2]))]
    if once(0.1):
        out.append({'type': 'redacted_thinking', 'data': name()})
    if not calling or once(0.5):
        out += [text_block() for _ in range(R.choice([1, 1, 2]))]
    if once(0.05):
        out += [{'type': 'server_tool_use', 'id': name('s'), 'name': 'w',
                 'input': {'q': text()}},
                {'type': 'web_search_tool_result', 'tool_use_id': 's',
                 'content': [{'url': 'u'}]}]
    for call in [calls.call() for _ in range(R.randint(1, 3))
                 if calling]:
        out.append(may({'type': 'tool_use', 'id': call['id'],
                        'name': call['name'], 'input': call['args']}, 0.1,
                       caller=lambda: {'type': 'direct'}, odd=1,
                       cache_control=lambda: {'type': 'ephemeral'}))
        if once(0.05):
            out.append(text_block())
    return out


def result_block(call):
    return may({'type': 'tool_result', 'tool_use_id': call['id'],
                'content': blocks(True)}, 0.15, is_error=True, odd=1,
               cache_control=lambda: {'type': 'ephemeral'})


def anthropic_messages():
    calls, out = Calls(), []
    for _ in range(R.randint(1, 3)):
        waiting = [result_block(call) for call in calls.answered()]
        asked = blocks(True)
        if waiting:
            asked = waiting + ([{'type': 'text', 'text': asked}]
                               if isinstance(asked, str) else asked)
        out.append(may({'role': 'user', 'content': asked}, 0.1, odd=1))
        while once(0.4):
            out.append({'role': 'assistant',
                        'content': answer_blocks(calls, True)})
            out.append({'role': 'user', 'content': [
                result_block(call) for call in calls.answered()]})
        if once(0.05):
            out.append({'role': 'system', 'content': blocks(False)})
        out.append(may({'role': 'assistant', 'content': answer_blocks(
            calls, once(0.2))}, 0.1, odd=1))
    return out


def anthropic_tool():
    if once(0.15):
        return {'type': 'web_search_20250305', 'name': 'w', 'max_uses': 5}
    return may({'name': name(), 'input_schema': schema()}, 0.3, strict=True,
               description=text, type='custom', odd=1,
               cache_control=lambda: {'type': 'ephemeral'})


def anthropic_choice():
    it = word({'type': 'auto'}, {'type': 'any'}, {'type': 'none'},
              {'type': 'tool', 'name': 'f1'})
    return it if it['type'] == 'none' else may(
        it, 0.3, disable_parallel_tool_use=True)


def anthropic_request():
    return may({'messages': anthropic_messages()}, 0.3, model='m', odd=1,
               system=lambda: blocks(False), tool_choice=anthropic_choice,
               tools=lambda: some(anthropic_tool, 1), max_tokens=100,
               thinking=lambda: {'type': 'enabled', 'budget_tokens': 9})


def anthropic_response():
    calling = once(0.4)
    return may({'type': 'message', 'role': 'assistant', 'content':
                answer_blocks(Calls(), calling) or [text_block()],
                'stop_reason': 'tool_use' if calling else 'end_turn'}, 0.5,
               id=name, model='m', stop_sequence=None, odd=1,
               usage=lambda: {'input_tokens': 3, 'output_tokens': 4})


def anthropic():
    return (anthropic_request if once(0.7) else anthropic_response)()


# ---- gemini ----------------------------------------------------------------

def gemini_text():
    return may({'text': text('part')}, 0.1, odd=1)


def gemini_parts(images):
    out = [gemini_text() for _ in range(R.choice([1, 1, 2]))]
    if images and once(0.3):
        out.append(word({'inlineData': {'mimeType': 'image/png',
                                        'data': 'iVBO%d' % number()}},
                        {'fileData': {'mimeType': 'image/png',
                                      'fileUri': name('u')}}))
    return out


def model_parts(calls, calling):
    out = []
    if once(0.3):
        out += [may({'text': text('why'), 'thought': True}, 0.3,
                    thoughtSignature=name) for _ in range(R.choice([1, 1, 2]))]
    if not calling or once(0.5):
        out += gemini_parts(False)
        may(out[-1], 0.2, thoughtSignature=name)
    if once(0.1):
        out += [{'executableCode': {'language': 'PYTHON', 'code': text()}},
                {'codeExecutionResult': {'outcome': 'OUTCOME_OK',
                                         'output': text()}}]
    for call in [calls.call() for _ in range(R.randint(1, 3)) if calling]:
        inside = {'name': call['name'], 'args': call['args']}
        inside['id'] = call['id']
        out.append(may({'functionCall': may(inside, 0.05, odd=1)}, 0.2,
                       thoughtSignature=name))
        if once(0.05):
            out.append(gemini_text())
    return out


def gemini_result(call):
    return {'functionResponse': may({
        'id': call['id'], 'name': call['name'], 'response': word(
            {'result': text('r')}, {'output': text(), 'n': 1.50},
            {'result': {'deep': number()}})}, 0.1, odd=1)}


def gemini_tools():
    out = [{'functionDeclarations': some(lambda: may(
        {'name': name()}, 0.5, description=text, odd=1,
        parametersJsonSchema=schema), 1)}]
    if once(0.2):
        out.append({'googleSearch': {'odd': 1}})
    return out


def gemini():
    calls, it = Calls(), {'contents': []}
    turns = it['contents']
    for _ in range(R.randint(1, 3)):
        turns.append(may({'role': 'user', 'parts': gemini_parts(True)}, 0.05,
                         odd=1))
        while once(0.4):
            turns.append({'role': 'model', 'parts': model_parts(calls, True)})
            turns.append({'role': 'user', 'parts': [
                gemini_result(call) for call in calls.answered()]})
        turns.append({'role': 'model', 'parts': model_parts(calls, False)})
    if once(0.3):
        last = may(turns.pop(), 0.1, odd=1)
        it['candidates'] = [may({'content': last, 'finishReason': 'STOP'},
                                0.3, index=0, odd=1)]
        may(it, 0.5, usageMetadata=lambda: {'totalTokenCount': 3},
            modelVersion='m')
    return may(it, 0.4, systemInstruction=lambda: may({
        'parts': gemini_parts(False)}, 0.1, odd=1), tools=gemini_tools, odd=1,
        generationConfig=lambda: {'temperature': 0.50})


