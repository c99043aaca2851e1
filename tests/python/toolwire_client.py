# SPDX-License-Identifier: MIT
"""A client of the public header and nothing else, by ctypes.

It shows what a binding needs: no callbacks, no structs by value, pull events.
"""
import ctypes
from ctypes import (POINTER, Structure, byref, c_char_p, c_int, c_int32,
                    c_int64, c_size_t, c_uint32, c_uint64, c_void_p)

OK = 0
UNKNOWN, TEXT, CONTROL = 0, 1, 2
STOP, LENGTH = 1, 2
TYPES = {1: 'text', 2: 'reasoning', 3: 'call_begin', 4: 'call_arguments',
         5: 'call_end', 6: 'unparsed', 7: 'diagnostic', 8: 'framing',
         9: 'end'}
OPTIONS = {'strict': 1, 'start_reasoning': 2, 'calls_in_reasoning': 3,
           'recover_stripped': 4, 'keep_raw': 5, 'framing': 6,
           'first_call': 7, 'limit_depth': 10, 'limit_name': 11,
           'limit_arguments': 12, 'limit_calls': 13, 'limit_input': 14,
           'hold_calls': 30, 'custom_function': 31, 'created': 32}


class Event(Structure):
    _fields_ = [('type', c_uint32), ('index', c_uint32), ('code', c_uint32),
                ('flags', c_uint32), ('data', c_void_p), ('size', c_size_t),
                ('id', c_void_p), ('id_size', c_size_t),
                ('offset', c_uint64), ('span', c_uint64)]


class Error(Structure):
    _fields_ = [('code', c_int32), ('detail', c_int32), ('offset', c_uint64),
                ('message', c_char_p), ('path', c_char_p)]


class ToolwireError(Exception):
    def __init__(self, code, offset=0, message='', detail=0):
        super().__init__('%s (%d) at %d' % (message, code, offset))
        self.code, self.offset, self.detail = code, offset, detail


def load(path):
    lib = ctypes.CDLL(path)
    for name, result, arguments in [
            ('tw_version', c_char_p, []),
            ('tw_format_find', c_void_p, [c_char_p]),
            ('tw_format_at', c_void_p, [c_size_t]),
            ('tw_format_name', c_char_p, [c_void_p]),
            ('tw_decoder_new', c_void_p, [c_void_p, c_void_p]),
            ('tw_decoder_set', c_int, [c_void_p, c_int, c_int64]),
            ('tw_decoder_set_tools', c_int, [c_void_p, c_char_p, c_size_t]),
            ('tw_decoder_set_prompt', c_int, [c_void_p, c_char_p, c_size_t]),
            ('tw_decoder_feed', c_int,
             [c_void_p, c_char_p, c_size_t, c_int]),
            ('tw_decoder_finish', c_int, [c_void_p, c_int]),
            ('tw_decoder_next', c_int, [c_void_p, POINTER(POINTER(Event))]),
            ('tw_decoder_reset', None, [c_void_p]),
            ('tw_decoder_free', None, [c_void_p]),
            ('tw_decoder_error', POINTER(Error), [c_void_p])]:
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Decoder:
    def __init__(self, lib, format_name, tools=None, prompt=None, **options):
        self.lib = lib
        wire = lib.tw_format_find(format_name.encode())
        if not wire:
            raise ValueError('no format ' + format_name)
        self.decoder = lib.tw_decoder_new(wire, None)
        for name, value in options.items():
            self.check(lib.tw_decoder_set(self.decoder, OPTIONS[name], value))
        if tools is not None:
            self.check(lib.tw_decoder_set_tools(self.decoder, tools,
                                                len(tools)))
        if prompt is not None:
            self.check(lib.tw_decoder_set_prompt(self.decoder, prompt,
                                                 len(prompt)))

    def __del__(self):
        if getattr(self, 'decoder', None):
            self.lib.tw_decoder_free(self.decoder)

    def check(self, result):
        if result < 0:
            error = self.lib.tw_decoder_error(self.decoder).contents
            raise ToolwireError(result, error.offset, error.message.decode(),
                                error.detail)
        return result

    def events(self):
        pointer = POINTER(Event)()
        while self.check(self.lib.tw_decoder_next(self.decoder,
                                                  byref(pointer))) == 1:
            event = pointer.contents
            data = ctypes.string_at(event.data, event.size) \
                if event.data else b''
            wire_id = ctypes.string_at(event.id, event.id_size) \
                if event.id else b''
            yield (TYPES[event.type], event.index, event.code, event.flags,
                   data, wire_id, event.offset, event.span)

    def feed(self, data, mark=UNKNOWN):
        self.check(self.lib.tw_decoder_feed(self.decoder, data, len(data),
                                            mark))
        yield from self.events()

    def finish(self, how=STOP):
        self.check(self.lib.tw_decoder_finish(self.decoder, how))
        yield from self.events()

    def reset(self):
        self.lib.tw_decoder_reset(self.decoder)

    def run(self, pieces, how=STOP):
        for piece in pieces:
            yield from self.feed(piece)
        yield from self.finish(how)


def merge(events):
    """Adjacent deltas joined: what is the same for every chunking."""
    out = []
    for event in events:
        last = out[-1] if out else None
        if (last and event[0] in ('text', 'reasoning', 'call_arguments',
                                  'framing')
                and last[0] == event[0] and last[1] == event[1]):
            out[-1] = last[:4] + (last[4] + event[4], last[5], last[6],
                                  last[7] + event[7])
        else:
            out.append(event)
    return out


def message(events):
    """What the message JSON says, for tests."""
    parts = {'text': {}, 'reasoning': {}}
    calls, unparsed, diagnostics = {}, [], []
    for kind, index, code, flags, data, wire_id, offset, span in events:
        if kind in parts:
            parts[kind][index] = parts[kind].get(index, b'') + data
        elif kind == 'call_begin':
            calls[index] = {'name': data.decode(), 'id': wire_id.decode(),
                            'custom': flags & 1, 'arguments': b'',
                            'status': 0}
        elif kind == 'call_arguments':
            calls[index]['arguments'] += data
        elif kind == 'call_end':
            calls[index]['status'] = code
        elif kind == 'unparsed':
            unparsed.append({'offset': offset, 'size': span, 'code': code,
                             'name': wire_id.decode('utf-8', 'replace')})
        elif kind == 'diagnostic':
            diagnostics.append({'code': data.decode(), 'offset': offset,
                                'size': span})
    return {'content': '\n'.join(p.decode() for p in parts['text'].values()),
            'reasoning': '\n'.join(p.decode()
                                   for p in parts['reasoning'].values()),
            'calls': [c for c in calls.values() if c['status'] == 1],
            'unparsed': unparsed, 'diagnostics': diagnostics}
