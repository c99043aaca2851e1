/* SPDX-License-Identifier: MIT
 *
 * What a record says, apart from how its shape spells it: each fact has a slot
 * (which message, which part, which call), a value and the path where the
 * record has it.  Two records of a shape say the same if they have the same
 * values in the same slots.  Nothing here is the library's but the reader of
 * JSON and the spelling of paths.
 *
 * The same are, as servers and templates take them: a text and a list of one
 * text part; no content, null and the empty text; arguments that are empty,
 * null or absent; members that are null or empty and absent ones; calls and
 * tools with and without their wrappers, and by their legacy names; ids of
 * calls that count them; text of JSON by its value.
 */
#ifndef TOOLWIRE_TESTS_FACTS_H
#define TOOLWIRE_TESTS_FACTS_H

#include "json/tree.h"
#include "paths.h"

typedef struct fact {
    char *slot;
    char *value;
    char *path;
} fact;

typedef struct facts {
    fact *all;
    size_t count;
    size_t capacity;
    struct inner_text *texts; /* JSON in strings */
    /* Elements that are left out: those behind them move up.  NULL: none. */
    const paths *dropped;
    /* Messages that are a part of the one before.  NULL: none. */
    const paths *merged;
} facts;

/* |shape|: "openai", "anthropic" or "sharegpt". */
void facts_of(facts *, const char *shape, const tw_value *record);
void free_facts(facts *);

/* The paths of |left| whose facts |right| does not have. */
void differing_facts(const facts *left, const facts *right, paths *out);
/* The slots that |right| has and |left| has not. */
void added_slots(const facts *left, const facts *right, paths *out);

/* ---- for the shapes ----------------------------------------------------- */

enum { SLOT_SIZE = 512 };

/* A fact of |size| bytes at |where|. */
void add_fact(facts *, const tw_value *where, const char *value, size_t size,
              const char *slot, ...) __attribute__((format(printf, 5, 6)));
/* All leaves of a value, in slots below this one. */
void add_leaves(facts *, const tw_value *, const char *slot, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for members that are neither |known|, a NULL-ended list, nor null
 * or empty. */
void add_others(facts *, const tw_value *object, const char *const *known,
                const char *slot, ...) __attribute__((format(printf, 4, 5)));
/* Is the element one of those that were dropped?  That is a fact. */
bool is_dropped(facts *, const tw_value *element);
/* Is the message part of the one before?  Where it was is a fact. */
bool is_merged(facts *, const tw_value *message);

bool is_void_value(const tw_value *);
/* The JSON in a string, or the value itself; NULL: it is no JSON, even if that
 * is *repaired (NULL: it is not).  It lives as long as the facts. */
const tw_value *json_of(facts *, const tw_value *, bool *repaired);

void openai_facts(facts *, const tw_value *record);
void anthropic_facts(facts *, const tw_value *record);
void sharegpt_facts(facts *, const tw_value *record);

/* ---- what shapes share -------------------------------------------------- */

/* A call, or a result, which may answer one. */
typedef struct passage {
    const tw_value *where;
    const tw_value *id;   /* or NULL */
    const tw_value *name; /* or NULL */
    size_t unit;
    size_t turn;  /* of a result: the first call of the last turn with some */
    size_t calls; /* how many calls came before */
} passage;

enum { PASSAGES = 256 };

/* How far a record is read. */
typedef struct said {
    size_t units; /* messages; text beside calls is one of its own */
    size_t turn;  /* the first call of the last turn with some */
    size_t calls;
    size_t results;
    passage call[PASSAGES];
    passage result[PASSAGES];
} said;

/* An id under this name: a number is its text.  NULL: there is none. */
const tw_value *id_fact(const tw_value *object, const char *key);
/* A turn with calls begins; a call of unit |unit|.  |id| and |arguments| may
 * be NULL. */
void begin_calls(said *);
void call_facts(facts *, said *, size_t unit, size_t number,
                const tw_value *name, const tw_value *id,
                const tw_value *arguments);
/* A result that stands at |where|. */
void add_result(said *, size_t unit, const tw_value *where, const tw_value *id,
                const tw_value *name);
/* Which call each result answers, when all is read: that with its id; without
 * an id, of the calls of the turn to which no other result goes by its id the
 * next of its name, else the next. */
void answer_facts(facts *, const said *);
/* A function that a tool declares, its schema under |schema|; what is null or
 * empty in it counts if |strict|. */
void function_facts(facts *, size_t number, const tw_value *function,
                    const char *schema, bool strict);
/* A tool, wrapped or not. */
void tool_facts(facts *, const tw_value *tools);

#endif
