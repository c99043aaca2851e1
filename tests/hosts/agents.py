# SPDX-License-Identifier: MIT
"""Programs that run calls by themselves: which calls they run, of what they
read in a stream, with which arguments.  What stands in `again` of the server is
the second turn, behind the results."""
import anthropic
import langchain.agents
import langchain_core.tools
import pydantic_ai
from anthropic.lib.tools import BetaFunctionTool
from openai.lib.responses_tool_runner import (RegisteredFunction,
                                              ResponsesToolRunner,
                                              ToolRunnerError)

from served import MODEL, SCHEMA


def ran(calls):
    return {'ran': True, 'calls': [dict(call, runs=True) for call in calls]}


def pydantic_agent(make):
    def client(url, names):
        calls = []

        def tool(name):
            def run(context, **value):
                calls.append({'id': context.tool_call_id, 'name': name,
                              'value': value})
                return 'ok'
            return pydantic_ai.Tool.from_schema(
                run, name=name, description='a tool', json_schema=SCHEMA,
                takes_ctx=True)

        async def read(_, events):
            async for _ in events:
                pass
        agent = pydantic_ai.Agent(make(url), retries=0,
                                  tools=[tool(name) for name in names])
        try:
            agent.run_sync('go', event_stream_handler=read)
        except pydantic_ai.UnexpectedModelBehavior as error:
            return dict(ran(calls), refused=str(error))
        return ran(calls)
    return client


def langchain_agent(make):
    def client(url, names):
        calls = []

        def tool(name):
            def run(runtime: langchain.tools.ToolRuntime, **value):
                calls.append({'id': runtime.tool_call_id, 'name': name,
                              'value': value})
                return 'ok'
            return langchain_core.tools.StructuredTool.from_function(
                run, name=name, description='a tool', args_schema=SCHEMA)
        agent = langchain.agents.create_agent(
            make(url), [tool(name) for name in names])
        for _ in agent.stream({'messages': [('user', 'go')]},
                              stream_mode='messages'):
            pass
        return ran(calls)
    return client


def anthropic_runner(make, **options):
    def client(url, names):
        calls = []

        def tool(name):
            def run(**value):
                calls.append({'name': name, 'value': value})
                return 'ok'
            return BetaFunctionTool(run, name=name, description='a tool',
                                    input_schema=SCHEMA)
        runner = make(url).beta.messages.tool_runner(
            model=MODEL, max_tokens=100, stream=True, max_iterations=2,
            messages=[{'role': 'user', 'content': 'go'}],
            tools=[tool(name) for name in names], **options)
        for stream in runner:
            stream.get_final_message()
        return ran(calls)
    return client


def openai_runner(make):
    def client(url, names):
        calls = []

        def tool(name):
            def run(value):
                calls.append({'name': name, 'value': value})
                return 'ok'
            return RegisteredFunction(
                {'type': 'function', 'name': name, 'parameters': SCHEMA,
                 'strict': False}, run)
        try:
            ResponsesToolRunner(functions=[tool(name) for name in names]).run(
                make(url), {'model': MODEL, 'input': 'go'}, stream=True,
                max_steps=3)
        except ToolRunnerError as error:
            return dict(ran(calls), refused=str(error))
        return ran(calls)
    return client
