#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Engines of chat templates in Python, for `toolwire test --templates`.

Use: jinja2_peer.py jinja2 | minijinja
jinja2 is set up as transformers sets it up; minijinja as its own page says for
templates of models, with Python's methods.
"""
import datetime
import json
import os
import sys


def to_json(value, ensure_ascii=False, **how):
    return json.dumps(value, ensure_ascii=ensure_ascii, **how)


def with_jinja2():
    import jinja2
    import jinja2.ext
    import jinja2.sandbox
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True,
        extensions=[jinja2.ext.loopcontrols])
    made.filters['tojson'] = to_json

    def refuse(message):
        raise jinja2.exceptions.TemplateError(message)
    made.globals['raise_exception'] = refuse
    made.globals['strftime_now'] = datetime.datetime.now().strftime
    return lambda template, request: \
        made.from_string(template).render(**request)


def with_minijinja():
    import minijinja
    made = minijinja.Environment(
        trim_blocks=True, lstrip_blocks=True, pycompat=True,
        auto_escape_callback=lambda name: False)
    made.add_filter('tojson', to_json)

    def refuse(message):
        raise ValueError(message)
    made.add_global('raise_exception', refuse)
    return lambda template, request: \
        made.render_str(template, **request)


def main():
    render = {'jinja2': with_jinja2, 'minijinja': with_minijinja}[sys.argv[1]]()
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        answer = {'id': question['id']}
        try:
            answer['text'] = render(question['template'], question['request'])
        except Exception as error:
            answer['error'] = '%s: %s' % (type(error).__name__, error)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == '__main__':
    main()
