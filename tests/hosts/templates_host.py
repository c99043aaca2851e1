# SPDX-License-Identifier: MIT
"""transformers' apply_chat_template() on chat templates that packages ship: what a
template writes for an assistant is what toolwire reads, and, where toolwire writes
prompts, the prompt is the same text.

Use: templates_host.py HOME, by run.py; HOME/sdist is the source of vLLM, whose
examples/ holds the templates.
"""
import importlib.metadata
import json
import os
import sys

import cases
import chat
from tally import Tally

TEMPLATES = {
    'apertus': 'apertus', 'deepseekr1': 'deepseek/r1',
    'deepseekv3': 'deepseek/v3', 'deepseekv31': 'deepseek/v3.1',
    'functiongemma': 'functiongemma', 'gemma4': 'gemma4',
    'granite': 'granite/3', 'granite_20b_fc': 'granite/20b-fc',
    'hermes': 'hermes/nous', 'hunyuan_a13b': 'hunyuan/a13b',
    'internlm2_tool': 'internlm2', 'llama3.1_json': 'llama3',
    'llama3.2_json': 'llama3', 'llama3.2_pythonic': 'llama3.2',
    'llama4_json': 'llama3/4', 'llama4_pythonic': 'llama4',
    'mistral': 'mistral/v3', 'mistral3': 'mistral/v7',
    'mistral_parallel': 'mistral/v3', 'phi4_mini': 'phi-4-mini',
    'qwen3coder': 'qwen3-coder', 'toolace': 'toolace',
    'xlam_llama': 'xlam', 'xlam_qwen': 'xlam'}
USER = {'role': 'user', 'content': 'Tide?'}


BOS = {'hermes': '<|begin_of_text|>'}  # of that model's tokenizer


def render(template, messages, generation, bos='<bos>'):
    """As apply_chat_template() does, which gives templates arguments as
    objects."""
    from transformers.utils.chat_template_utils import render_jinja_template
    messages = json.loads(json.dumps(messages))
    for message in messages:
        # Many fail where there is none.
        message['content'] = message['content'] or ''
        for call in message.get('tool_calls') or ():
            call['function']['arguments'] = json.loads(
                call['function']['arguments'])
    rendered, _ = render_jinja_template(
        conversations=[messages], tools=cases.TOOLS, chat_template=template,
        add_generation_prompt=generation, bos_token=bos,
        eos_token='</s>')
    return rendered[0]


def written(template, answer):
    """What the template writes for an answer, and None if it cannot be told
    from the prompt."""
    whole = render(template, [USER, dict(answer, role='assistant')], False)
    for generation in True, False:
        prompt = render(template, [USER], generation)
        if whole.startswith(prompt):
            return whole[len(prompt):]
    return None


def check(tally, name, template, form):
    for number, answer in enumerate(cases.ANSWERS):
        if 'reasoning_content' in answer:
            continue  # Most templates drop it, or have it in content.
        title = '%s %d' % (name, number)
        try:
            text = written(template, answer)
        except Exception as error:  # the template's own
            tally.bad(title, 'refuses: %s' % str(error)[:120])
            continue
        if text is None:
            tally.bad(title, 'is not behind the prompt')
            continue
        got = cases.Case('written ' + title, form, text.encode(), {},
                         cases.TOOLS).wanted
        wanted = chat.essence(answer)
        if wanted['content'] not in text:  # The template leaves it out.
            wanted['content'] = ''
        for one in got, wanted:
            one['calls'] = [[call, json.loads(arguments)]
                            for call, arguments in one['calls']]
            one['content'] = one['content'].strip()
        tally.same(title, [got['content'], got['calls'], text],
                   [wanted['content'], wanted['calls'], text])


def check_prompt(tally, name, template, form):
    """The prompt of a conversation, where toolwire writes the format's."""
    for number, answer in enumerate(cases.ANSWERS):
        messages = [USER, dict(answer, role='assistant')]
        request = {'messages': messages, 'tools': cases.TOOLS}
        said = cases.run('encode', '-f', form, '--jsonl',
                         data=json.dumps(request).encode() + b'\n')
        text = json.loads(said or '{}').get('text')
        if text is not None:
            tally.same('%s prompt %d' % (name, number), text,
                       render(template, messages, False,
                              BOS.get(name, '<bos>')))


def main():
    folder = os.path.join(sys.argv[1], 'sdist', 'examples')
    tally = Tally('templates')
    prompts = {json.loads(row)['name'] for row in
               cases.run('formats', '--json').decode().splitlines()
               if json.loads(row)['prompts']}
    for name, form in TEMPLATES.items():
        path = os.path.join(folder, 'tool_chat_template_%s.jinja' % name)
        with open(path, encoding='utf-8') as file:
            template = file.read()
        check(tally, name, template, form)
        if form in prompts:
            check_prompt(tally, name, template, form)
    tally.end(versions='transformers %s, templates of vLLM'
              % importlib.metadata.version('transformers'))


if __name__ == '__main__':
    main()
