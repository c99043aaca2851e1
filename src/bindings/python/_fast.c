/* SPDX-License-Identifier: MIT
 *
 * What Python does for each delta, without ctypes: a piece is fed, and events
 * or chunks are taken.  toolwire/_hot.py says the same in Python, is held to
 * it by the same tests, and takes its place where this was not built.  It
 * knows no format, option or API, and is not linked with the library: _hot.py
 * gives it the addresses of the functions that ctypes has found.
 *
 * On the stable interface of Python 3.8, so that one file serves all newer
 * ones.  The module has no globals: what bind() was given is in its state.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>

#include <string.h>

#include "toolwire.h"

/* While a piece of so many bytes is decoded other threads may run.  For a
 * delta, letting them would take longer than the delta. */
enum { LONG_PIECE = 4096 };

enum { FIELDS = 8 };

typedef struct {
    int (*feed)(tw_decoder *, const char *, size_t, tw_mark);
    int (*next)(tw_decoder *, const tw_event **);
    int (*write)(tw_writer *, const tw_event *);
    int (*take)(tw_writer *, const char **, size_t *);
    PyObject *event;  /* the class Event */
    PyObject *fields; /* names of its members, as make_event() has them */
    PyObject *kinds;  /* of a tw_event_type less one */
    PyObject *parse;  /* JSON text to a tuple of its value and where it ends */
} State;

/* One by one: a tuple of them would take a fifth longer.  NULL, and a Python
 * error, where there was no memory. */
static void make_values(const State *state, const tw_event *event,
                        PyObject *values[FIELDS])
{
    if (event->type - 1 < (uint32_t)PyTuple_Size(state->kinds)) {
        values[0] = PyTuple_GetItem(state->kinds, (Py_ssize_t)event->type - 1);
        Py_XINCREF(values[0]);
    } else {
        values[0] = PyUnicode_FromFormat("%u", event->type);
    }
    if (event->index == TW_NO_INDEX) {
        values[1] = Py_None;
        Py_INCREF(Py_None);
    } else {
        values[1] = PyLong_FromUnsignedLong(event->index);
    }
    values[2] =
        PyBytes_FromStringAndSize(event->data, (Py_ssize_t)event->size);
    values[3] = PyUnicode_DecodeUTF8(event->id ? event->id : "",
                                     (Py_ssize_t)event->id_size, "replace");
    values[4] = PyLong_FromUnsignedLong(event->code);
    values[5] = PyLong_FromUnsignedLong(event->flags);
    values[6] = PyLong_FromUnsignedLongLong(event->offset);
    values[7] = PyLong_FromUnsignedLongLong(event->span);
}

/* An Event, past the __init__ and __setattr__ of a frozen class, which take
 * longer than all the rest. */
static PyObject *make_event(const State *state, const tw_event *event)
{
    PyObject *values[FIELDS];
    PyObject *made = NULL;
    make_values(state, event, values);
    if (!PyErr_Occurred())
        made = PyType_GenericNew((PyTypeObject *)state->event, NULL, NULL);
    for (Py_ssize_t i = 0; i < FIELDS; i++) {
        if (made &&
            PyObject_GenericSetAttr(made, PyTuple_GetItem(state->fields, i),
                                    values[i]) < 0)
            Py_CLEAR(made);
        Py_XDECREF(values[i]);
    }
    return made;
}

/* Both return 0, or less with a Python error set. */
static int give_event(const State *state, const tw_event *event, PyObject *out)
{
    PyObject *made = make_event(state, event);
    int result = made ? PyList_Append(out, made) : -1;
    Py_XDECREF(made);
    return result;
}

static int give_line(const State *state, const char *line, size_t size,
                     PyObject *out)
{
    PyObject *parsed = NULL;
    PyObject *text = PyUnicode_DecodeUTF8(line, (Py_ssize_t)size, NULL);
    int result = -1;
    if (text)
        parsed = PyObject_CallFunctionObjArgs(state->parse, text, NULL);
    if (parsed)
        result = PyList_Append(out, PyTuple_GetItem(parsed, 0));
    Py_XDECREF(text);
    Py_XDECREF(parsed);
    return result;
}

/* ... or less without a Python error, which is the writer's. */
static int give_chunks(const State *state, const tw_event *event,
                       tw_writer *writer, PyObject *out, PyObject *said)
{
    const char *line = NULL;
    size_t size = 0;
    if (said && event->type == TW_EVENT_DIAGNOSTIC &&
        give_event(state, event, said) < 0)
        return -1;
    int result = state->write(writer, event);
    while (result >= 0 && state->take(writer, &line, &size) == 1)
        result = give_line(state, line, size, out);
    return result;
}

/* Everything that is ready, up to the first error.  |said|: NULL, nobody asks
 * for diagnostics. */
static int drain(const State *state, tw_decoder *decoder, tw_writer *writer,
                 int is_long, PyObject *out, PyObject *said)
{
    int result = 0;
    while (result >= 0) {
        const tw_event *event = NULL;
        PyThreadState *thread = is_long ? PyEval_SaveThread() : NULL;
        result = state->next(decoder, &event);
        if (thread)
            PyEval_RestoreThread(thread);
        if (result != 1)
            return result;
        result = writer ? give_chunks(state, event, writer, out, said)
                        : give_event(state, event, out);
    }
    return result;
}

static PyObject *feed(PyObject *module, PyObject *arguments)
{
    const State *state = PyModule_GetState(module);
    unsigned long long decoder = 0;
    unsigned long long writer = 0;
    const char *piece = NULL;
    Py_ssize_t size = 0;
    int mark = 0;
    PyObject *out = NULL;
    PyObject *said = NULL;
    int result = 0;
    if (!PyArg_ParseTuple(arguments, "KKz#iO!|O!:feed", &decoder, &writer,
                          &piece, &size, &mark, &PyList_Type, &out,
                          &PyList_Type, &said))
        return NULL;
    if (!state->feed) {
        PyErr_SetString(PyExc_RuntimeError, "bind() comes first");
        return NULL;
    }
    if (piece)
        result = state->feed((tw_decoder *)(uintptr_t)decoder, piece,
                             (size_t)size, (tw_mark)mark);
    /* Other errors come again behind the events that were made before. */
    if (result != TW_ERROR_ARGUMENT && result != TW_ERROR_STATE)
        result = drain(state, (tw_decoder *)(uintptr_t)decoder,
                       (tw_writer *)(uintptr_t)writer, size >= LONG_PIECE, out,
                       said);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(result);
}

static int clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    if (!state) /* before Python 3.9: of a module that is half made */
        return 0;
    Py_CLEAR(state->event);
    Py_CLEAR(state->fields);
    Py_CLEAR(state->kinds);
    Py_CLEAR(state->parse);
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    const State *state = PyModule_GetState(module);
    if (!state)
        return 0;
    Py_VISIT(state->event);
    Py_VISIT(state->fields);
    Py_VISIT(state->kinds);
    Py_VISIT(state->parse);
    return 0;
}

static void free_module(void *module)
{
    clear(module);
}

/* An address as a pointer to a function, which C has no cast for. */
static void set_function(void *function, unsigned long long address)
{
    const uintptr_t value = (uintptr_t)address;
    memcpy(function, &value, sizeof(value));
}

static PyObject *bind(PyObject *module, PyObject *arguments)
{
    State *state = PyModule_GetState(module);
    unsigned long long functions[4];
    PyObject *event = NULL;
    PyObject *fields = NULL;
    PyObject *kinds = NULL;
    PyObject *parse = NULL;
    if (!PyArg_ParseTuple(arguments, "KKKKO!O!O!O:bind", &functions[0],
                          &functions[1], &functions[2], &functions[3],
                          &PyType_Type, &event, &PyTuple_Type, &fields,
                          &PyTuple_Type, &kinds, &parse))
        return NULL;
    if (PyTuple_Size(fields) != FIELDS) {
        PyErr_SetString(PyExc_ValueError, "an Event has other members");
        return NULL;
    }
    clear(module);
    set_function(&state->feed, functions[0]);
    set_function(&state->next, functions[1]);
    set_function(&state->write, functions[2]);
    set_function(&state->take, functions[3]);
    Py_INCREF(event);
    Py_INCREF(fields);
    Py_INCREF(kinds);
    Py_INCREF(parse);
    state->event = event;
    state->fields = fields;
    state->kinds = kinds;
    state->parse = parse;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"bind", bind, METH_VARARGS, "Takes what _hot.py knows."},
    {"feed", feed, METH_VARARGS, "That of _hot.py."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "_fast",
                                        "The way of a delta, in C.",
                                        sizeof(State),
                                        methods,
                                        slots,
                                        traverse,
                                        clear,
                                        free_module};

PyMODINIT_FUNC PyInit__fast(void)
{
    return PyModuleDef_Init(&definition);
}
