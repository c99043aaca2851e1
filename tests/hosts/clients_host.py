# SPDX-License-Identifier: MIT
"""Python clients of the three APIs read streams of the command."""
import functools
import importlib.metadata

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from pydantic_ai import ToolDefinition
from pydantic_ai.direct import model_request_stream_sync
from pydantic_ai.messages import (ModelRequest, TextPart, ThinkingPart,
                                  ToolCallPart)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

import served
from agents import (anthropic_runner, langchain_agent, openai_runner,
                    pydantic_agent)
from served import MODEL, SCHEMA, is_json

# Made once: clients keep their connections.
openai_at = functools.cache(lambda url: openai.OpenAI(
    base_url=url, max_retries=0))
anthropic_at = functools.cache(lambda url: anthropic.Anthropic(
    base_url=url[:-len('/v1')], max_retries=0))
openai_provider = functools.cache(lambda url: OpenAIProvider(base_url=url))
anthropic_provider = functools.cache(lambda url: AnthropicProvider(
    base_url=url[:-len('/v1')]))

GO = [{'role': 'user', 'content': 'go'}]


def chat_tools(names):
    return [{'type': 'function', 'function': {
        'name': name, 'description': 'a tool', 'parameters': SCHEMA}}
        for name in names]


# ---- openai --------------------------------------------------------------

def openai_chat(url, names):
    try:
        with openai_at(url).chat.completions.stream(
                model=MODEL, messages=GO, tools=chat_tools(names)) as stream:
            choice = stream.get_final_completion().choices[0]
    except openai.LengthFinishReasonError as error:
        choice = error.completion.choices[0]  # a program has no more
    return of_choice(choice)


def openai_chat_parse(url, names):
    """No stream, and strict tools, whose arguments it parses."""
    tools = chat_tools(names)
    for tool in tools:
        tool['function']['strict'] = True
    choice = openai_at(url).chat.completions.parse(
        model=MODEL, messages=GO, tools=tools).choices[0]
    got = of_choice(choice)
    for call, parsed in zip(got['calls'], choice.message.tool_calls or ()):
        call['value'] = parsed.function.parsed_arguments
    return got


def of_choice(choice):
    message = choice.message
    return {'content': message.content or '',
            'reasoning': getattr(message, 'reasoning_content', None) or '',
            'calls': [{'id': call.id, 'name': call.function.name,
                       'arguments': call.function.arguments,
                       'runs': choice.finish_reason == 'tool_calls'
                       and is_json(call.function.arguments)}
                      for call in message.tool_calls or ()]}


def openai_responses(url, names):
    last = None
    with openai_at(url).responses.stream(model=MODEL, input='go', tools=[
            {'type': 'function', 'name': name, 'parameters': SCHEMA,
             'strict': False} for name in names]) as stream:
        for event in stream:
            last = event
    return of_response(last.response)


def openai_responses_parse(url, names):
    """No stream, and strict tools, whose arguments it parses, also those of an
    incomplete call."""
    try:
        return of_response(openai_at(url).responses.parse(
            model=MODEL, input='go', tools=[
                {'type': 'function', 'name': name, 'parameters': SCHEMA,
                 'strict': True} for name in names]))
    except ValueError as error:
        return {'ran': True, 'calls': [], 'refused': str(error)}


def of_response(response):
    return {'content': response.output_text,
            'reasoning': ''.join(part.text for item in response.output
                                 if item.type == 'reasoning'
                                 for part in item.content or item.summary),
            'calls': [{'id': item.call_id, 'name': item.name,
                       'arguments': item.arguments,
                       'runs': item.status == 'completed'}
                      for item in response.output
                      if item.type == 'function_call']}


# ---- anthropic -----------------------------------------------------------

def anthropic_messages(url, names):
    with anthropic_at(url).messages.stream(
            model=MODEL, max_tokens=100, messages=GO, tools=[
                {'name': name, 'input_schema': SCHEMA}
                for name in names]) as stream:
        message = stream.get_final_message()
    return {'content': ''.join(block.text for block in message.content
                               if block.type == 'text'),
            'reasoning': ''.join(block.thinking for block in message.content
                                 if block.type == 'thinking'),
            'calls': [{'id': block.id, 'name': block.name,
                       'value': block.input,
                       'runs': message.stop_reason == 'tool_use'}
                      for block in message.content
                      if block.type == 'tool_use']}


# ---- LangChain -----------------------------------------------------------

def langchain(make, reasoning):
    def client(url, names):
        chat = make(url).bind_tools(chat_tools(names))
        whole = None
        for chunk in chat.stream('go'):
            whole = chunk if whole is None else whole + chunk
        blocks = whole.content if isinstance(whole.content, list) else [
            {'type': 'text', 'text': whole.content}]
        texts = [chunk['args'] for chunk in whole.tool_call_chunks]
        got = {'content': ''.join(block['text'] for block in blocks
                                  if block['type'] == 'text'),
               'calls': [{'id': call['id'], 'name': call['name'],
                          'value': call['args'], 'runs': True}
                         for call in whole.tool_calls]}
        if len(texts) == len(got['calls']):
            for call, text in zip(got['calls'], texts):
                call['arguments'] = text
        if reasoning:
            got['reasoning'] = ''.join(block.get(reasoning, '')
                                       for block in blocks)
        return got
    return client


# ---- pydantic-ai ---------------------------------------------------------

def pydantic_model(make):
    def client(url, names):
        with model_request_stream_sync(
                make(url), [ModelRequest.user_text_prompt('go')],
                model_request_parameters=ModelRequestParameters(
                    function_tools=[ToolDefinition(
                        name=name, parameters_json_schema=SCHEMA)
                        for name in names])) as stream:
            for _ in stream:
                pass
            response = stream.response
        parts = response.parts
        return {'content': ''.join(part.content for part in parts
                                   if isinstance(part, TextPart)),
                'reasoning': ''.join(
                    part.content or ''.join(
                        (part.provider_details or {}).get('raw_content', ()))
                    for part in parts if isinstance(part, ThinkingPart)),
                'calls': [{'id': part.tool_call_id, 'name': part.tool_name,
                           'arguments': part.args,
                           'runs': response.finish_reason != 'length'
                           and is_json(part.args or '')}
                          for part in parts
                          if isinstance(part, ToolCallPart)]}
    return client


@functools.cache
def pydantic_chat(url):
    return OpenAIChatModel(MODEL, provider=openai_provider(url))


@functools.cache
def pydantic_responses(url):
    return OpenAIResponsesModel(MODEL, provider=openai_provider(url))


@functools.cache
def pydantic_anthropic(url):
    return AnthropicModel(MODEL, provider=anthropic_provider(url))


@functools.cache
def langchain_chat(url):
    return ChatOpenAI(model=MODEL, base_url=url, max_retries=0,
                      use_responses_api=False)


@functools.cache
def langchain_responses(url):
    return ChatOpenAI(model=MODEL, base_url=url, max_retries=0,
                      use_responses_api=True)


@functools.cache
def langchain_anthropic(url):
    return ChatAnthropic(model=MODEL, base_url=url[:-len('/v1')],
                         max_retries=0)


CLIENTS = {
    'chat': {
        'openai chat.completions.stream': openai_chat,
        'openai chat.completions.parse': openai_chat_parse,
        'langchain-openai': langchain(langchain_chat, None),
        'langchain-openai agent': langchain_agent(langchain_chat),
        'pydantic-ai chat': pydantic_model(pydantic_chat),
        'pydantic-ai chat agent': pydantic_agent(pydantic_chat),
    },
    'responses': {
        'openai responses.stream': openai_responses,
        'openai responses.parse': openai_responses_parse,
        'openai ResponsesToolRunner': openai_runner(openai_at),
        'langchain-openai responses': langchain(langchain_responses, None),
        'langchain-openai responses agent': langchain_agent(
            langchain_responses),
        'pydantic-ai responses': pydantic_model(pydantic_responses),
        'pydantic-ai responses agent': pydantic_agent(pydantic_responses),
    },
    'anthropic': {
        'anthropic messages.stream': anthropic_messages,
        'anthropic tool_runner': anthropic_runner(anthropic_at),
        'anthropic tool_runner eager': anthropic_runner(
            anthropic_at, run_tools_eagerly=True),
        'langchain-anthropic': langchain(langchain_anthropic, 'thinking'),
        'langchain-anthropic agent': langchain_agent(langchain_anthropic),
        'pydantic-ai anthropic': pydantic_model(pydantic_anthropic),
        'pydantic-ai anthropic agent': pydantic_agent(pydantic_anthropic),
    },
}

PACKAGES = ('openai', 'anthropic', 'langchain-openai', 'langchain-anthropic',
            'langchain', 'pydantic-ai-slim')

if __name__ == '__main__':
    served.main('clients', CLIENTS, ', '.join(
        '%s %s' % (name, importlib.metadata.version(name))
        for name in PACKAGES))
