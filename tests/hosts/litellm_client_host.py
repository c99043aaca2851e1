# SPDX-License-Identifier: MIT
"""LiteLLM's client reads streams of the command, each API by its own door.

Use: litellm_client_host.py HOME, by run.py.
"""
import gc
import importlib.metadata

import served  # says in the environment that nobody outside is asked

import litellm

GO = [{'role': 'user', 'content': 'go'}]
# It leaves streams of Anthropic's unread at their end, and httpcore's pool waits
# for itself where the collector closes one while the pool is locked.
gc.disable()
gc.freeze()
litellm.telemetry = False
litellm.suppress_debug_info = True


def tools(names):
    return [{'type': 'function', 'function': {
        'name': name, 'description': 'a tool', 'parameters': served.SCHEMA}}
        for name in names]


def completion(prefix, cut):
    """litellm.completion, which makes chunks of chat of any API."""
    def client(url, names):
        chunks = list(litellm.completion(
            model=prefix + served.MODEL, api_base=url[:-cut] if cut else url,
            api_key='none', messages=GO, tools=tools(names), stream=True,
            max_tokens=100, num_retries=0))
        gc.collect()
        choice = litellm.stream_chunk_builder(chunks, messages=GO).choices[0]
        message = choice.message
        return {'content': message.content or '',
                'reasoning': getattr(message, 'reasoning_content', None) or '',
                'calls': [{'id': call.id, 'name': call.function.name,
                           'arguments': call.function.arguments,
                           'runs': choice.finish_reason == 'tool_calls'
                           and served.is_json(call.function.arguments)}
                          for call in message.tool_calls or ()]}
    return client


def responses(url, names):
    last = None
    for event in litellm.responses(
            model='openai/gpt-4o',  # of others it makes up a stream
            api_base=url, api_key='none', input='go',
            tools=[{'type': 'function', 'name': name,
                    'parameters': served.SCHEMA, 'strict': False}
                   for name in names], stream=True, num_retries=0):
        last = event
    output = [item if isinstance(item, dict) else item.model_dump()
              for item in last.response.output]

    def texts(kind, *members):
        return ''.join(part['text'] for item in output
                       if item['type'] == kind for member in members
                       for part in item.get(member) or ())
    return {'content': texts('message', 'content'),
            'reasoning': texts('reasoning', 'content', 'summary'),
            'calls': [{'id': item['call_id'], 'name': item['name'],
                       'arguments': item['arguments'],
                       'runs': item['status'] == 'completed'}
                      for item in output if item['type'] == 'function_call']}


CLIENTS = {
    'chat': {'litellm.completion openai': completion('openai/', 0)},
    'responses': {'litellm.responses': responses},
    'anthropic': {'litellm.completion anthropic': completion(
        'anthropic/', len('/v1'))},
}

if __name__ == '__main__':
    served.main('litellm-client', CLIENTS,
                'litellm ' + importlib.metadata.version('litellm'))
