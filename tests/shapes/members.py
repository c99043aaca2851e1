# SPDX-License-Identifier: MIT
"""The members that the records of each shape use."""
import re

from records import (adp, anthropic, atif, batch, completion, gemini, huggingface, openai,
                     preference, responses, trajectory, trl)
from texts import alpaca, glaive, sharegpt, xlam

# Each shape with the maker of its records and the members that they use.
# Behind a colon stand those of what is named before it; ... is any member, as
# in values that are the user's own.
OPENAI_MESSAGE = '''role content name odd refusal reasoning_content weight
audio.id annotations[].type annotations[].url_citation... tool_calls[].id
tool_calls[].type tool_calls[].odd
tool_calls[].extra_content.google.thought_signature tool_calls[].function.name
tool_calls[].function.odd tool_calls[].custom.name tool_calls[].custom.input
tool_call_id content[].type content[].text content[].odd
content[].prompt_cache_breakpoint.mode content[].image_url.url
content[].image_url.detail content[].input_audio.data
content[].input_audio.format content[].file.file_id'''.split()
ARGUMENTS = ['tool_calls[].function.arguments']
OPENAI_TOOL = '''type odd function.name function.description
function.parameters... function.strict'''.split()
CUSTOM_TOOL = '''custom.name custom.description
custom.format.type'''.split()
CHOICES = '''tool_choice tool_choice.type tool_choice.function.name
parallel_tool_calls'''.split()


def below(front, members):
    return [front + each for each in members]


ANSWER = [each for each in OPENAI_MESSAGE if not re.match(
    r'tool_call_id|content\[\]\.(image|input_audio|file)', each)] + ARGUMENTS
ASKED = [each for each in OPENAI_MESSAGE if re.match('role|content', each)]
MESSAGE_OF_RESPONSES = '''type role content odd id status phase content[].type
content[].text content[].odd content[].annotations[].type
content[].annotations[].url content[].logprobs[].token
content[].logprobs[].logprob content[].refusal'''.split()
ITEM = MESSAGE_OF_RESPONSES + '''content[].image_url content[].detail
content[].file_id content[].filename content[].file_url summary summary[].type
summary[].text summary[].odd encrypted_content call_id name arguments
namespace caller.type input output output[].type output[].text output[].odd
output[].image_url output[].detail output[].file_id output[].filename
output[].file_url'''.split()
OUT = [each for each in ITEM if not re.match(
    r'role$|content$|output|content\[\]\.(image|detail|file)', each)] + [
    'role']
RESPONSE_REST = '''instructions model odd parallel_tool_calls tool_choice
tool_choice.type tool_choice.name tool_choice.odd tools[].type tools[].name
tools[].strict tools[].description tools[].parameters... tools[].odd
tools[].format.type'''.split()
RESPONSE = below('output[].', OUT) + RESPONSE_REST + '''object status id
created_at usage.prompt_tokens usage.completion_tokens error
incomplete_details'''.split()
REQUEST = ['input'] + below('input[].', ITEM) + RESPONSE_REST
BLOCK = '''type text odd citations[].type citations[].title cache_control.type
thinking signature data id name input... tool_use_id content[].url
caller.type'''.split()
GIVEN = '''type text odd citations[].type citations[].title cache_control.type
source source.type source.media_type source.data source.url source.file_id
title content[].type content[].text'''.split()
ANTHROPIC = '''model odd system system[].type system[].text system[].odd
system[].citations[].type system[].citations[].title
system[].cache_control.type tool_choice.type tool_choice.name
tool_choice.disable_parallel_tool_use max_tokens thinking.type
thinking.budget_tokens tools[].type tools[].name tools[].max_uses
tools[].input_schema... tools[].strict tools[].description tools[].odd
tools[].cache_control.type messages[].role messages[].content
messages[].odd'''.split() + below('messages[].content[].', BLOCK) + below(
    'messages[].content[].', GIVEN) + below(
    'messages[].content[].content[].', GIVEN) + [
    'messages[].content[].content', 'messages[].content[].is_error']
ANTHROPIC_SAID = below('content[].', BLOCK) + '''type role stop_reason id model
stop_sequence odd usage.input_tokens usage.output_tokens'''.split()
PARTS = '''text odd thought thoughtSignature executableCode.language
executableCode.code codeExecutionResult.outcome codeExecutionResult.output
functionCall.id functionCall.name functionCall.args... functionCall.odd'''
GEMINI_USER = '''inlineData.mimeType inlineData.data fileData.mimeType
fileData.fileUri functionResponse.id functionResponse.name
functionResponse.response... functionResponse.odd'''
CHAT = below('choices[].message.', ANSWER) + '''object id created model
usage.prompt_tokens usage.completion_tokens system_fingerprint odd
choices[].index choices[].finish_reason choices[].odd
choices[].logprobs.content[].token
choices[].logprobs.content[].logprob'''.split() + below(
    'tools[].', OPENAI_TOOL + CUSTOM_TOOL)
LOG = below('messages[].', OPENAI_MESSAGE + ARGUMENTS) + below(
    'tools[].', OPENAI_TOOL + CUSTOM_TOOL) + CHOICES
PLAIN_MESSAGE = [each for each in OPENAI_MESSAGE if '.custom' not in each]
SHAPES = {
    'openai': (openai, LOG + 'model temperature id metadata.a odd'.split()),
    'huggingface': (huggingface, below('messages[].', PLAIN_MESSAGE + [
        ARGUMENTS[0] + '...']) + below('tools[].', OPENAI_TOOL) + CHOICES +
        ['source', 'odd']),
    'chat-completion': (completion, CHAT + below('messages[].', ASKED)),
    'batch': (batch, 'custom_id method url odd id error response.status_code '
              'response.request_id result.type'.split() + below('body.', LOG) +
              below('body.', REQUEST) +
              'body.temperature body.id body.metadata.a'.split() +
              below('response.body.', CHAT) + below('response.body.', RESPONSE)
              + below('params.', ANTHROPIC) + below('result.message.',
                                                 ANTHROPIC_SAID)),
    'responses': (responses, REQUEST + RESPONSE),
    'anthropic': (anthropic, ANTHROPIC + ANTHROPIC_SAID),
    'gemini': (gemini, below('contents[].parts[].', (
        PARTS + ' ' + GEMINI_USER).split()) + below(
        'candidates[].content.parts[].', [
            each for each in PARTS.split() if 'Call' not in each]) + '''
        contents[].role contents[].odd candidates[].content.role candidates[].content.odd
        candidates[].finishReason candidates[].index candidates[].odd
        usageMetadata.totalTokenCount modelVersion odd
        generationConfig.temperature systemInstruction.parts[].text
        systemInstruction.parts[].odd systemInstruction.odd
        tools[].googleSearch.odd
        tools[].functionDeclarations[].name
        tools[].functionDeclarations[].description
        tools[].functionDeclarations[].odd
        tools[].functionDeclarations[].parametersJsonSchema...'''.split()),
    'sharegpt': (sharegpt, '''conversations[].from conversations[].value
        conversations[].odd chosen.from chosen.value chosen.odd rejected.from
        rejected.value rejected.odd system odd id tools'''.split()),
    'xlam': (xlam, '''query answers answers[].name answers[].arguments...
        tools tools[].name tools[].description tools[].parameters... id
        odd'''.split()),
    'glaive': (glaive, 'system chat id odd'.split()),
    'alpaca': (alpaca, '''instruction output input system odd id
        history[][]'''.split()),
    'trajectory': (trajectory, [
        each for key in ('trajectory', 'traj', 'history')
        for each in below(key + '[].', PLAIN_MESSAGE + ARGUMENTS +
                          ['agent', 'action', 'thought'])] + below(
        'tools[].', OPENAI_TOOL) + ['instance_id', 'reward', 'odd']),
    'atif': (atif, '''schema_version session_id agent.name agent.version
        agent.model_name agent.odd notes odd final_metrics.total_steps
        steps[].step_id steps[].source steps[].message steps[].message[].type
        steps[].message[].text steps[].odd steps[].reasoning_content
        steps[].timestamp steps[].model_name steps[].metrics.prompt_tokens
        steps[].tool_calls[].tool_call_id steps[].tool_calls[].function_name
        steps[].tool_calls[].arguments... steps[].tool_calls[].odd
        steps[].observation.results[].source_call_id
        steps[].observation.results[].content
        steps[].observation.results[].content[].type
        steps[].observation.results[].content[].text
        steps[].observation.results[].odd'''.split() +
        below('agent.tool_definitions[].', OPENAI_TOOL)),
    'adp': (adp, '''id odd details.split content[].class_ content[].content
        content[].source content[].odd content[].name content[].function
        content[].kwargs... content[].description
        content[].reasoning_content content[].tool_call_id'''.split()),
    'preference': (preference, below('input.messages[].', ASKED) + below(
        'input.tools[].', OPENAI_TOOL + CUSTOM_TOOL) +
        'input.parallel_tool_calls input.odd odd id'.split() +
        below('preferred_output[].', ANSWER) +
        below('non_preferred_output[].', ANSWER)),
    'trl': (trl, 'prompt chosen rejected odd score_chosen'.split() +
            below('prompt[].', ASKED) + below('tools[].', OPENAI_TOOL +
                                              CUSTOM_TOOL) +
            below('chosen[].', ANSWER + ASKED) +
            below('rejected[].', ANSWER + ASKED)),
}


