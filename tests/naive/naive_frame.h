/* SPDX-License-Identifier: MIT
 *
 * A decoder for any description, whole text in, message out: what its files
 * share.
 *
 *     naive_frame_description.c  the description: patterns, markers, keys
 *     naive_frame.c              text, calls, a stop: read it first
 *     naive_frame_reasoning.c    reasoning, and the calls in it
 *     naive_frame_open.c         what opens and closes the two
 *     naive_frame_edges.c        which white space is framing
 *     naive_frame_channel.c      whom a message is for
 *     naive_frame_match.c        patterns against the text
 *     naive_frame_head.c         is this the head of a call?
 *     naive_frame_bare.c         without a marker?
 *     naive_frame_json_head.c    and of an object?
 *     naive_frame_section.c      sections, calls, and what ends them
 *     naive_frame_json.c         JSON bodies: objects, lists, arguments
 *     naive_frame_object.c       one call object
 *     naive_frame_tagged.c       parameters between tags
 *     naive_frame_opening.c      how a parameter opens
 *     naive_frame_value.c        where a tagged value ends
 *     naive_frame_quoted.c       and whether a string holds what would end it
 *     naive_frame_typed.c        what a tagged value is, by the tool's schema
 *     naive_frame_python.c       NAME(KEY=LITERAL, ...)
 *     naive_frame_literal.c      a Python literal
 *     naive_frame_string.c       a Python string
 *     naive_frame_gemma.c        Gemma's values with other markers
 *     naive_frame_elements.c     nested elements
 *     naive_frame_suffix.c       markers with a suffix
 */
#ifndef TOOLWIRE_TESTS_NAIVE_FRAME_H
#define TOOLWIRE_TESTS_NAIVE_FRAME_H

#include "naive_json.h"
#include "naive_tree.h"

enum {
    FRAME_LOOK = 256,
    FRAME_HEAD = 1024,
    FRAME_DELIMITER = 1024,
    FRAME_NAME = 256,
    FRAME_HELD = 65536,
    FRAME_NEST = 128,
    FRAME_WS = 8
};

/* --- the description --------------------------------------------------- */

typedef enum frame_hole {
    HOLE_NONE,
    HOLE_NAME,
    HOLE_ID,
    HOLE_INDEX,
    HOLE_SKIP,
    HOLE_SERVER,
    HOLE_ARGUMENTS,
    HOLE_ARGUMENTS_JSON,
    HOLE_OBJECT,
    HOLE_LIST,
    HOLE_LIST_LINES,
    HOLE_KEYED,
    HOLE_PYTHON,
    HOLE_PYTHON_LINES,
    HOLE_PYTHON_CALL,
    HOLE_RAW,
    HOLE_GEMMA,
    HOLE_ELEMENTS,
    HOLE_KEY,
    HOLE_TYPE,
    HOLE_VALUE,
    HOLE_VALUE_TEXT,
    HOLE_VALUE_JSON,
    HOLE_VALUE_TRIM,
    HOLE_VALUE_GUESS,
    HOLE_CALLS,
    HOLE_CALL,
    HOLE_TEXT,
    HOLE_TEXT_LINE,
    HOLE_TEXT_TRIM,
    HOLE_TEXT_JSON,
    HOLE_UNREAD,
    HOLE_COUNT
} frame_hole;

typedef enum frame_kind {
    FRAME_MARKER, /* |text| as it stands */
    FRAME_LAYOUT, /* white space: |text| is written, any is read */
    FRAME_HOLE,
    FRAME_TAG /* |text|, attributes in any order, |end| */
} frame_kind;

/* NAME="VALUE" in a tag; |hole| in the place of VALUE, or HOLE_NONE. */
typedef struct frame_attribute {
    naive_bytes name, value;
    frame_hole hole;
} frame_attribute;

typedef struct frame_part {
    frame_kind kind;
    frame_hole hole;
    naive_bytes text, end;
    frame_attribute attributes[4];
    size_t attribute_count;
} frame_part;

typedef struct frame_pattern {
    frame_part *parts;
    size_t count;
    size_t hole; /* index of the body, value, calls or text */
    bool loose;
    bool stripped; /* the description has an open marker in front */
} frame_pattern;

typedef struct frame_patterns {
    frame_pattern *items;
    size_t count;
} frame_patterns;

typedef struct frame_words {
    const char **items;
    size_t count;
} frame_words;

typedef struct frame_description {
    naive_tree tree; /* owns all words */
    frame_patterns call, argument, calls, reasoning, text;
    frame_words turn, stops, tokens, no_reasoning, end;
    frame_words name_key, arguments_key, id_key;
    const char *between, *gap, *no_text, *id, *raw_name;
    const char *suffix; /* of markers: another one may stand there */
    naive_bytes source; /* its JSON */
    const char *json, *values, *entities, *example;
    bool sorted;
    bool calls_alone; /* text beside calls is not written: a loss */
    bool echo, blank_names, calls_in_reasoning, header_name, cdata;
    bool empty_line, channels, loose_channels;
} frame_description;

/* False: |*error| says why, for the next call of this function. */
bool frame_load(const char *json, size_t size, frame_description *out,
                const char **error);
void frame_release(frame_description *);

/* The body of a call pattern, HOLE_NONE if there is none. */
frame_hole frame_body(const frame_pattern *call);
bool frame_is_tagged(const frame_description *, const frame_pattern *call);
/* The first marker of the pattern, NULL if it begins with its hole. */
const char *frame_opener(const frame_pattern *pattern);
/* The |n|th marker behind the main hole, or NULL. */
const char *frame_closer(const frame_pattern *pattern, size_t n);
/* The layout directly before or behind part |index|, never NULL. */
const char *frame_layout(const frame_pattern *pattern, size_t index);
/* Plain text is no marker by its looks: its heads go further (D2, D15). */
bool frame_is_plain(const char *marker);
/* `<function ` in front of a name: a tag like any other. */
bool frame_is_bare_tag(const char *marker);
bool frame_is_token(const frame_description *, const char *marker);
/* The same inside the marker, too: no text has that by chance. */
bool frame_holds_token(const frame_description *, const char *marker);

/* --- reading ----------------------------------------------------------- */

typedef struct frame_options {
    bool start_reasoning;
    bool length; /* the output was cut by the token limit */
    bool untyped_json;
    const naive_tree *tools; /* an array of OpenAI tools or names, or NULL */
} frame_options;

/* |*out| starts zeroed. */
void naive_frame(const frame_description *, const frame_options *,
                 const char *text, size_t size, naive_message *out);

typedef enum frame_channel {
    FRAME_TO_NOBODY, /* no header */
    FRAME_TO_USER,
    FRAME_TO_TOOL,
    FRAME_TO_CALLED /* a call was there */
} frame_channel;

/* --- naive_frame_suffix.c --- */

/* Reads the text by the same description with the suffix that the first marker
 * has in it; false: it has none, or the one that is described. */
bool frame_read_suffixed(const frame_description *, const frame_options *,
                         const char *text, size_t size, naive_message *out);

typedef struct frame_reader {
    const frame_description *format;
    const frame_options *options;
    naive_message *message;
    const char *text;
    size_t size;
    size_t at;                    /* all before it is dealt with */
    size_t begin;                 /* of the segment */
    const frame_pattern *call;    /* being read: its closes count; or NULL */
    const frame_pattern *wrapper; /* what |text| is open */
    const char *lead; /* layout that is framing in front of the segment */
    naive_bytes cuts; /* pairs of size_t: closes that are no part of it */
    bool touches;     /* a call stands in front of the segment */
    bool headless;    /* an opener in the segment is text: so are closers */
    bool in_section;  /* one is open */
    bool fresh;       /* no text and no call so far */
    bool orphaned;    /* a close that nothing opened was dropped */
    bool started;     /* past the place where |turn| counts as read */
    bool repeats;     /* reasoning's opener at its start is framing (D1) */
    bool thought;     /* reasoning was opened or closed */
    bool opened;      /* by its marker */
    bool reasoning, trial, over;
    char outer[32]; /* the name of another format's tag around the calls */
    bool behind_body; /* of JSON: a bracket may be the call's close */
    bool foreign_key; /* an object had one that no call has */
    bool in_value;    /* the text ended in a string or a value between tags */
    frame_channel channel;
    char to[FRAME_LOOK + 1]; /* the recipient, if it is a tool */
    size_t to_size;
} frame_reader;

/* --- naive_frame_match.c --- */

typedef enum frame_answer { FRAME_NO, FRAME_CUT, FRAME_YES } frame_answer;

typedef struct frame_match {
    frame_answer answer;
    size_t end;             /* behind what matched */
    size_t word, word_size; /* of name and id in their place, blanks off */
    size_t markers;         /* that matched */
    size_t due, due_at;     /* the part that does not stand where it is due */
    naive_bytes holes[HOLE_COUNT];
    bool has[HOLE_COUNT];
    const char *note; /* a deviation */
    bool closed;      /* a tag closes itself */
} frame_match;

void frame_match_release(frame_match *);
/* Where the token stands that |word| ends with, or 0. */
size_t frame_last_token(const frame_description *, const char *word);
/* Parts [from, to) at |at|; |skip| bytes of the first are taken as read.
 * |match| starts zeroed. */
void frame_match_parts(const frame_reader *, const frame_pattern *,
                       size_t from, size_t to, size_t skip, size_t at,
                       frame_match *match);

/* How many bytes |word| has at |at|, with the white space beside the tokens
 * that are one with words in it; 0: it does not stand there. */
size_t frame_size(const frame_reader *, size_t at, const char *word);
bool frame_starts(const frame_reader *, size_t at, const char *word);
/* The text ends within |word|. */
bool frame_is_cut(const frame_reader *, size_t at, const char *word);
/* |c|, which may be NUL, is one of |bytes|. */
bool frame_among(const char *bytes, char c);
bool frame_is_blank(char c);
bool frame_is_name_byte(char c);
size_t frame_skip(const frame_reader *, size_t at);
/* The same, blanks that JSON does not know included; they are diagnosed in a
 * body, and fewer in a head. */
size_t frame_skip_odd(frame_reader *, size_t at, bool body);
size_t frame_behind_odd(const frame_reader *, size_t at);
/* Blanks of all kinds and commas behind a body; odd ones, which are diagnosed,
 * go with the call. */
size_t frame_skip_separators(frame_reader *, size_t at);
/* The longest stop that stands here, or NULL. */
const char *frame_stop_at(const frame_reader *, size_t at);
/* The longest close of a section here, or NULL. */
const char *frame_section_close_at(const frame_reader *, size_t at);
const char *frame_section_word_at(const frame_reader *, size_t at);
const char *frame_section_open_at(const frame_reader *, size_t at);
size_t frame_longest_opener(const frame_reader *, size_t at);
const char *frame_open_token_at(const frame_reader *, size_t at);
/* The longest opener of a call here: no plain one without its head. */
const char *frame_call_open_at(frame_reader *, size_t at);
/* The longest marker behind a call's body here, or NULL: of the call that is
 * being read, or of any. */
const char *frame_call_close_at(const frame_reader *, size_t at);
/* A marker that ends a body wherever it is not in a string. */
bool frame_head_opens(frame_reader *, size_t at);
size_t frame_marker_at(frame_reader *, size_t at);
size_t frame_next_marker(frame_reader *, size_t at);
/* The output ends within a marker. */
bool frame_cut_marker_at(const frame_reader *, size_t at);
/* The same of any marker, behind a token of it that is whole. */
bool frame_half_marker_at(const frame_reader *, size_t at);
bool frame_half_stop_at(const frame_reader *, size_t at);
/* The next marker, be it cut, or the end. */
size_t frame_body_end(frame_reader *, size_t at);
bool frame_is_end(const frame_reader *, size_t at);

/* --- naive_frame_head.c --- */

typedef struct frame_head {
    frame_answer answer;
    const frame_pattern *call;
    size_t begin; /* of the head, behind a section's open */
    size_t body;
    bool empty; /* a block with nothing in it */
    bool bare;  /* an unmarked head */
    bool fenced;
    frame_match match;
    size_t noted; /* where |match.note| is said */
} frame_head;

/* --- naive_frame_json_head.c --- */

/* `{` at |at|, then a call's key; |whole|: up to the arguments key, behind
 * strings under the other keys. */
bool frame_json_head(const frame_reader *, size_t at, bool whole,
                     bool *is_cut);
/* A list or object of calls without a marker that speaks for itself. */
bool frame_plain_json_head(const frame_reader *, size_t at, frame_hole body,
                           bool whole, bool *is_cut);

/* --- naive_frame_id.c --- */

/* Does the format write an id as it is, NAME:INDEX, in front of the call? */
bool frame_writes_ids(const frame_description *);
/* The id in a head, or the one that is made of name and index; or nothing. */
void frame_id_of(const frame_description *, const frame_head *,
                 naive_bytes *id);

/* The name without an id's prefix and index, where it stands in the place of
 * the name. */
void frame_repair_name(frame_reader *, frame_head *, size_t at);
/* Does the name have a letter? */
bool frame_has_letter(const naive_bytes *name);
/* naive_frame_judge.c: is what stands behind the head its body? */
void frame_judge(frame_reader *, const frame_pattern *call, bool in_section,
                 frame_head *);
/* A call at |at|: in a section, or in the text; or unmarked (F4), where |more|
 * says that a call and its separator stand in front. */
void frame_read_head(frame_reader *, size_t at, bool in_section, frame_head *);
/* A close of the call's own. */
bool frame_own_close_at(const frame_reader *, const frame_pattern *call,
                        size_t at);
const char *frame_first_token(const frame_reader *, const frame_pattern *call,
                              size_t at);
/* The same, and the token is a marker by itself. */
const char *frame_token_alone(const frame_reader *, const frame_pattern *call,
                              size_t at);
bool frame_begins_with_token(const frame_reader *, const frame_pattern *call,
                             size_t at);
void frame_head_release(frame_head *);

/* --- naive_frame_bare.c --- */
void frame_read_unmarked(frame_reader *, size_t at, bool more, frame_head *);
bool frame_is_common_fence(const char *opener);

const naive_tree *frame_tool(const frame_reader *, const naive_bytes *name);
const char *frame_tool_name(const naive_tree *tool); /* NULL: it has none */
bool frame_has_tools(const frame_reader *);

/* --- naive_frame_section.c --- */

/* A section or call at |at| in the text: false if there is none.  The segment
 * before it is ended. */
bool frame_try_block(frame_reader *, size_t at, bool first);
/* Does a call with a head begin at |at|, alone or as the first of a section? */
bool frame_call_begins(frame_reader *, size_t at);
/* A namespace in front of a declared name is left out. */
void frame_cut_name(const frame_reader *, naive_bytes *name);
void frame_unparsed(frame_reader *, size_t begin, size_t end,
                    const char *reason, const naive_bytes *name);
/* A call begins: an id is due. */
void frame_add_call(frame_reader *, const naive_bytes *name,
                    const naive_bytes *id, const naive_bytes *arguments);
void frame_diagnose(frame_reader *, const char *code, size_t at);
void frame_drop(frame_reader *, const char *code, size_t begin, size_t end);

/* --- naive_frame_channel.c --- */
/* The header at |at| is that of a text or a thought. */
bool frame_is_for_user(const frame_reader *, size_t at);
bool frame_is_addressed(frame_reader *, const naive_bytes *name);
void frame_address(frame_reader *, const frame_pattern *, size_t at);

/* --- naive_frame_unknown.c --- */
size_t frame_unknown_block(frame_reader *, size_t at);
size_t frame_unknown_call(frame_reader *, size_t at);
size_t frame_quoted_end(frame_reader *, size_t at);
size_t frame_bad_end(frame_reader *, size_t at);
const char *frame_bad_call_at(frame_reader *, size_t at);

/* --- naive_frame_open.c --- */
/* How much of |opener| the prompt ends with: at the start it counts as read
 * (D1). */
size_t frame_prompt_overlap(const frame_reader *, const char *opener);
const char *frame_last_close_at(const frame_reader *, size_t at);
/* A marker at |at| that no free text of a head holds. */
bool frame_is_in_no_hole(const frame_reader *, size_t at);
/* The word that ends at |at| is part of a longer one. */
bool frame_goes_on_as_name(const frame_reader *, size_t at);
/* A token of text or of thoughts, or one in front of the stop: no call goes on
 * there. */
bool frame_outside_at(const frame_reader *, size_t at);
/* Does only the end of its message close a call of |call|? */
bool frame_ends_message(const frame_reader *, const frame_pattern *call);
/* What ends the message at |at|, and with it a call of |call|, whose pattern
 * has no close; or NULL. */
const char *frame_message_end_at(const frame_reader *, const frame_pattern *call,
                                 size_t at);
/* Three words or more stand behind the token: it is no marker by itself. */
bool frame_is_shared(const frame_description *, const char *token);
/* White space may stand behind the token that |marker| begins with: behind
 * both, where |*rest| of the marker is due. */
size_t frame_behind_token(const frame_reader *, size_t at, const char *marker,
                          const char **rest);
/* --- naive_frame_edges.c --- */
/* The text since |begin| is a segment: before a call, before a stop. */
void frame_end_segment(frame_reader *, size_t end, bool at_call, bool at_stop);

/* --- bodies --- */

/* From head->body on; |at| goes behind what they took, the call's tail
 * included; |start| is where `unparsed` would begin. */
void frame_read_json(frame_reader *, frame_head *, size_t start);
void frame_read_arguments(frame_reader *, frame_head *, size_t start);
void frame_read_tagged(frame_reader *, frame_head *, size_t start);
void frame_read_python(frame_reader *, frame_head *, size_t start);
void frame_read_raw(frame_reader *, frame_head *, size_t start);
void frame_read_gemma(frame_reader *, frame_head *, size_t start);
/* Does a call with a head open at |at|, as Gemma's markers do? */
bool frame_gemma_opens(frame_reader *, size_t at);
void frame_read_elements(frame_reader *, frame_head *, size_t start);

/* The markers behind a body; |self| says that it ends by itself. */
const char *frame_behind_fence(const char *closer);
void frame_read_tail(frame_reader *, const frame_pattern *call);

/* One call object at |at|.  A |local| error ends where its brackets do; false:
 * at the next marker, which a close is taken with. */
bool frame_read_object(frame_reader *, const frame_head *, size_t start,
                       size_t at, size_t limit, bool local, size_t *end);
/* The end of the bracket at |at|, or of an element that is |flat|: in front of
 * its comma or bracket; 0: none before |limit|, or a string is in doubt.  Up
 * to |read| it was JSON with its repairs. */
size_t frame_balance(const frame_reader *, size_t at, size_t read,
                     size_t limit, bool flat);
/* Behind the next marker from |at| on, if that closes a call. */
size_t frame_behind_close(frame_reader *, size_t at);

/* --- naive_frame_python.c --- */
/* Behind all that Python takes for a blank. */
size_t frame_skip_python(const frame_reader *, size_t at);
/* Behind the bracket at |at|, which may be doubled. */
size_t frame_behind_bracket(const frame_reader *, size_t at);
/* NAME( at |at|; |sure|: an argument or the end follows (F4). */
frame_answer frame_callee(const frame_reader *, size_t at, bool sure,
                          size_t *name_size, size_t *body);

/* Behind NAME( at |at|: NAME.call, or a declared tool and what surely are its
 * arguments. */
bool frame_one_call(const frame_reader *, size_t at, size_t size);

/* --- naive_frame_literal.c --- */
/* A Python literal that is the whole text, as JSON; false if it is none. */
bool frame_python_literal(const char *text, size_t size, naive_bytes *out);

/* --- naive_frame_value.c --- */
typedef struct frame_parameter {
    const frame_head *head;
    const frame_pattern *pattern; /* of the argument */
    const naive_tree *tool;       /* the schema of its parameters, or NULL */
    const naive_tree *keys;       /* an array: those given so far */
    unsigned types;               /* of its value */
} frame_parameter;

typedef struct frame_value_end {
    bool found;
    size_t end, next; /* of the value; where to go on */
    const char *note;
} frame_value_end;

frame_value_end frame_find_value_end(frame_reader *, const frame_parameter *,
                                     size_t at, const char *closer);
/* Quotes around a name in a tag are none of its bytes: they are left out. */
bool frame_unquote(const char **data, size_t *size);
/* A parameter's opening at |at|; |*which| is its pattern. */
const char *frame_opener_at(const frame_reader *, size_t at);
void frame_match_bare_key(const frame_reader *, size_t at,
                          const naive_tree *schema,
                          const frame_pattern **which, frame_match *);
bool frame_key_close_at(const frame_reader *, size_t at);
void frame_match_parameter(const frame_reader *, size_t at,
                           const frame_pattern **which, frame_match *);
/* One of the markers of a parameter. */
bool frame_is_parameter_marker(const frame_reader *, size_t at);
bool frame_parameter_is_cut(const frame_reader *, size_t at, bool loose);
/* The name of the marker that opens a tagged call behind its section's. */
const char *frame_inner_opener(const frame_pattern *call);

/* --- naive_frame_quoted.c --- */
/* Does what stands at |at| belong to a string of the container that begins at
 * |begin|?  A word that could end it does if the string is closed behind it. */
bool frame_is_quoted(const frame_reader *, unsigned types, size_t begin,
                     size_t at, bool is_word);

/* --- naive_frame_typed.c --- */
enum {
    TYPE_STRING = 1,
    TYPE_NUMBER = 2,
    TYPE_INTEGER = 4,
    TYPE_BOOLEAN = 8,
    TYPE_NULL = 16,
    TYPE_ARRAY = 32,
    TYPE_OBJECT = 64,
    TYPE_ANY = 128 /* any JSON */
};
/* The types of a declared parameter; 0 if the schema does not say. */
unsigned frame_types(const naive_tree *parameters, const char *key);
/* Is a value of these types a container that is JSON as it comes? */
bool frame_streams(const frame_reader *, unsigned types, char first);
/* Schemas of which a value fits one. */
typedef struct frame_schemas {
    const naive_tree *all[8];
    size_t count;
} frame_schemas;

unsigned frame_schemas_types(const frame_schemas *, const naive_tree *root);
/* Those of a member, or, where |key| is NULL, of an element. */
frame_schemas frame_schemas_part(const frame_schemas *, const naive_tree *root,
                                 const char *key);
/* The value as JSON; false: the call is malformed. */
bool frame_convert(frame_reader *, unsigned types, const naive_bytes *raw,
                   size_t at, naive_bytes *out);
/* A tag of another format, where a text begins: how long it is, if only a call
 * stands in it; 0: there is none.  Its name is kept until its close. */
size_t frame_foreign_tag(frame_reader *, size_t at);
/* A bracket alone closes the call. */
bool frame_ends_in_bracket(const frame_pattern *call);
/* naive_frame_words.c.  A JSON string at the reader is text, and the brace
 * behind it is none. */
void frame_read_string(frame_reader *);
void frame_add_json_string(naive_bytes *out, const char *data, size_t size);
void frame_decode_entities(naive_bytes *);

#endif
