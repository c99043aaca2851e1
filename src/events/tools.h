/* SPDX-License-Identifier: MIT
 *
 * The tools that were declared: their names, and which JSON types each
 * parameter may have, as far as its schema tells.
 */
#ifndef TOOLWIRE_EVENTS_TOOLS_H
#define TOOLWIRE_EVENTS_TOOLS_H

#include "core/memory.h"
#include "events/known.h"

typedef struct tw_name {
    const char *data;
    size_t size;
} tw_name;

/* What is declared of one parameter. */
typedef struct tw_parameter {
    size_t name; /* where its name begins in |text| */
    size_t size;
    uint32_t bit;  /* which one it is of its tool's parameters */
    uint8_t types; /* a sum of TW_TYPE_ */
} tw_parameter;

typedef struct tw_tool {
    size_t name; /* where its name begins in |text| */
    size_t size;
    size_t first; /* of its parameters, which stand by name */
    size_t count;
    const tw_value *schema; /* in the list that was set; NULL: it has none */
} tw_tool;

typedef struct tw_tools {
    const tw_memory *memory;
    tw_buffer text;    /* all names, one behind the other */
    tw_buffer list;    /* tw_tool, as they were declared */
    tw_buffer by_name; /* size_t: those of |list|, sorted by name */
    tw_buffer members; /* tw_parameter of all */
} tw_tools;

void tw_tools_init(tw_tools *tools, const tw_memory *memory);
void tw_tools_free(tw_tools *tools);
/* No tools are declared. */
void tw_tools_clear(tw_tools *tools);

/* |list| is a JSON array of tools of OpenAI or MCP, of functions or of names.
 * TW_OK; TW_ERROR_MEMORY; TW_ERROR_SCHEMA: *where is what is wrong.  Then no
 * tools are declared.  Schemas are not checked: what is no schema says
 * nothing.  |where| is NULL: tools without a name are passed over, and
 * parameters are not looked at. */
int tw_tools_set(tw_tools *tools, const tw_value *list,
                 const tw_value **where);
/* ... of a text, or of MCP's answer to tools/list or a request that holds the
 * list, which is the tree's root then.  TW_ERROR_JSON, too. */
int tw_tools_read(tw_tools *tools, tw_tree *tree, const char *json,
                  size_t size, const tw_value **where);
/* What is wrong then, or with text that is no JSON; |where| may be NULL. */
const char *tw_tools_fault(int result, const tw_value *where);

/* Of an element of such a list: its name, a string, and its schema; NULL: it
 * has none. */
const tw_value *tw_tool_name(const tw_value *tool);
const tw_value *tw_tool_schema(const tw_value *tool);

/* The tools may be NULL here: there are none. */
size_t tw_tools_count(const tw_tools *tools);
tw_name tw_tools_name(const tw_tools *tools, size_t i);
/* The first of that name, or NULL. */
const tw_tool *tw_tools_find(const tw_tools *tools, const char *name,
                             size_t size);
/* The longest declared name that |name| ends with, a `:` or `.` in front of
 * it: its size.  0: none, or |name| itself is declared. */
size_t tw_tools_find_in(const tw_tools *tools, const char *name, size_t size);
/* Is the name declared, behind a namespace or not? */
bool tw_tools_has(const tw_tools *tools, const char *name, size_t size);
/* A parameter of the tool, or NULL: it declares none of that name.  |tool| may
 * be NULL. */
const tw_parameter *tw_tools_parameter(const tw_tools *tools,
                                       const tw_tool *tool, const char *name,
                                       size_t size);

#endif
