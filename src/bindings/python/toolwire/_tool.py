# SPDX-License-Identifier: MIT
"""Tools as Python has them: functions with annotations, and pydantic models.

Nothing is guessed: a parameter whose type no schema says is an error that
names it.
"""
import collections.abc
import enum
import inspect
import json
import re
import sys
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, Tuple, Union

Schema = Dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    Any: {}, inspect.Parameter.empty: {}, str: {'type': 'string'},
    int: {'type': 'integer'}, float: {'type': 'number'},
    bool: {'type': 'boolean'}, type(None): {'type': 'null'},
    list: {'type': 'array'}, dict: {'type': 'object'}}
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)
_SETS = (set, frozenset, collections.abc.Set)
_OBJECTS = (dict, collections.abc.Mapping)
# `int | str` is a type of its own from 3.10 on.
_UNIONS = (Union, getattr(sys.modules['types'], 'UnionType', Union))


# ---- types -----------------------------------------------------------------

def _enum_of(values: List[Any]) -> Schema:
    schema: Schema = {'enum': values}
    kinds: Set[Any] = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= set(_PLAIN):
        schema.update(_PLAIN[kinds.pop()])
    return schema


def _members(kind: Any, names: Mapping[str, Any], needed: List[str],
             shared: Schema) -> Schema:
    return {'type': 'object', 'properties': {
        name: _schema_of(each, '%s.%s' % (kind.__name__, name), shared)
        for name, each in names.items()}, 'required': needed}


def _of_class(kind: Any, where: str, shared: Schema) -> Schema:
    """A class that says its members: of pydantic, an enum, a TypedDict, a
    dataclass."""
    if hasattr(kind, 'model_json_schema'):
        schema: Schema = kind.model_json_schema()
        for name, each in schema.pop('$defs', {}).items():
            if shared.setdefault(name, each) != each:
                raise TypeError('%s: two types are named %s' % (where, name))
        return schema
    if issubclass(kind, enum.Enum):
        return _enum_of([each.value for each in kind])
    if hasattr(kind, '__required_keys__'):
        return _members(kind, _hints(kind), sorted(kind.__required_keys__),
                        shared)
    if hasattr(kind, '__dataclass_fields__'):
        fields = inspect.signature(kind).parameters
        return _members(kind, {name: _hints(kind)[name] for name in fields},
                        [name for name, each in fields.items()
                         if each.default is each.empty], shared)
    raise TypeError('%s: no schema says the type %s'
                    % (where, getattr(kind, '__name__', kind)))


def _of_args(origin: Any, args: Tuple[Any, ...], where: str,
             shared: Schema) -> Optional[Schema]:
    """Of `origin[args]`; None: it is none of those that are known."""
    if origin is typing.Literal:
        return _enum_of(list(args))
    if origin in _UNIONS:
        return {'anyOf': [_schema_of(each, where, shared) for each in args]}
    if origin in _OBJECTS and args[0] is str:
        return {'type': 'object', 'additionalProperties': _schema_of(
            args[1], where, shared)}
    if origin in _SETS or (origin in _LISTS and (
            origin is not tuple or args[1:] == (...,))):
        schema: Schema = {'type': 'array',
                          'items': _schema_of(args[0], where, shared)}
        if origin in _SETS:
            schema['uniqueItems'] = True
        return schema
    return None


def _schema_of(kind: Any, where: str, shared: Schema) -> Schema:
    """|shared| gets what pydantic's schemas refer to."""
    if hasattr(kind, '__metadata__'):  # Annotated[int, 'days from now']
        schema = _schema_of(kind.__origin__, where, shared)
        words = [each for each in kind.__metadata__ if isinstance(each, str)]
        return dict(schema, description=words[0]) if words else schema
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    args: Tuple[Any, ...] = getattr(kind, '__args__', ())
    own = getattr(kind, '__class__', None)
    found = _of_args(getattr(kind, '__origin__', own), args, where,
                     shared) if args else None
    if found is not None:
        return found
    if isinstance(kind, type) and not args:
        return _of_class(kind, where, shared)
    raise TypeError('%s: no schema says the type %s' % (where, kind))


def _hints(of: Any) -> Dict[str, Any]:
    if sys.version_info >= (3, 9):
        return typing.get_type_hints(of, include_extras=True)  # novm
    return typing.get_type_hints(of)


# ---- docstrings ------------------------------------------------------------

_SECTION = re.compile(r'^(?:(Args|Arguments|Parameters)|Returns?|Raises|'
                      r'Yields?|Examples?|Notes?):?\s*$')
_SPHINX = re.compile(r'^:(param|returns?|rtype|raises|type)\b')
_NAMED = re.compile(r'^\s*(?::param\s+(?:[^:\s]+\s+)*?)?(\w+)\s*'
                    r'(?:\([^)]*\))?\s*:\s+(\S.*)$')


def _words(of: Any, names: typing.Iterable[str]
           ) -> Tuple[str, Dict[str, str]]:
    """What a docstring says of the whole, and of each parameter that it names
    as Google's style or Sphinx has it."""
    lines = (inspect.getdoc(of) or '').split('\n')
    end = next((i for i, line in enumerate(lines)
                if _SECTION.match(line) or _SPHINX.match(line)), len(lines))
    about: Dict[str, str] = {}
    last = None
    depth = 0
    named = False  # in the section of parameters
    for line in lines[end:]:
        section = _SECTION.match(line)
        sphinx = _SPHINX.match(line)
        inset = len(line) - len(line.lstrip())
        named = section[1] is not None if section else named
        if last and line.strip() and inset > depth:
            about[last] += ' ' + line.strip()
            continue
        found = _NAMED.match(line) if not sphinx or sphinx[1] == 'param' \
            else None
        last = None
        if found and (named or sphinx) and found[1] in names:
            last, depth = found[1], inset
            about[last] = found[2].strip()
    return ' '.join(' '.join(lines[:end]).split()), about


# ---- tools -----------------------------------------------------------------

def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _parameters(function: Callable[..., Any], about: Mapping[str, str]
                ) -> Schema:
    who = '%s()' % getattr(function, '__name__', 'the function')
    hints = _hints(function if inspect.isroutine(function)
                   else type(function).__call__)
    shared: Schema = {}
    properties: Dict[str, Schema] = {}
    needed: List[str] = []
    for name, each in inspect.signature(function).parameters.items():
        where = '%s: %s' % (who, name)
        if each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL,
                         each.VAR_KEYWORD):
            raise TypeError('%s: a model gives each argument by its name'
                            % where)
        schema = _schema_of(hints.get(name, each.annotation), where, shared)
        if name in about:
            schema.setdefault('description', about[name])
        if each.default is each.empty:
            needed.append(name)
        elif each.default is not None and _is_json(each.default):
            schema['default'] = each.default
        properties[name] = schema
    found: Schema = {'type': 'object', 'properties': properties,
                     'required': needed, 'additionalProperties': False}
    return dict(found, **{'$defs': shared}) if shared else found


def _tool_of_model(model: Any) -> Dict[str, Any]:
    schema: Schema = model.model_json_schema()
    schema.pop('title', None)
    about = schema.pop('description', '')
    return {'name': model.__name__, 'description': about,
            'parameters': schema}


def tool(what: Any) -> Dict[str, Any]:
    """The OpenAI tool that a function or a pydantic model is; lists of tools
    take both as they are.

    what  a function: its name, its docstring, and a schema of its annotations
          (`Annotated[int, 'days from now']`, `Optional`, `Literal`, lists,
          dicts, enums, TypedDicts, dataclasses, pydantic models), with what
          the docstring says of each parameter under `Args:` or `:param x:`.
          Or a class of pydantic's: its name, its docstring and its schema

    TypeError, if a parameter has a type that no schema says, or cannot be
    given by its name."""
    if inspect.isclass(what) and hasattr(what, 'model_json_schema'):
        function = _tool_of_model(what)
    elif callable(what) and not inspect.isclass(what):
        about, each = _words(what, inspect.signature(what).parameters)
        function = {'name': getattr(what, '__name__', type(what).__name__),
                    'description': about,
                    'parameters': _parameters(what, each)}
    else:
        raise TypeError('a tool must be a function or a pydantic model, not '
                        + type(what).__name__)
    if not function['description']:
        del function['description']
    return {'type': 'function', 'function': function}
