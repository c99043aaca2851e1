/* SPDX-License-Identifier: MIT
 *
 * toolwire turns what a language model writes when it calls tools into the
 * JSON that programs expect, while it streams, and turns conversations into
 * the exact prompts that models' own chat templates make.
 *
 * The smallest use has five steps: find a format, make a decoder, feed it the
 * bytes as they come, take events out until there is none, finish.
 *
 *     const tw_format *format = tw_format_find("hermes"); (NULL: unknown)
 *     tw_decoder *decoder = tw_decoder_new(format, NULL); (NULL: no memory)
 *     tw_decoder_feed(decoder, bytes, size, TW_MARK_UNKNOWN);
 *     const tw_event *event;
 *     while (tw_decoder_next(decoder, &event) == 1)
 *         ...
 *     tw_decoder_finish(decoder, TW_FINISH_STOP);
 *     ... tw_decoder_next() as above ...
 *     tw_decoder_free(decoder);
 *
 * Rules that hold for every function:
 *  - Borrowing: fed bytes stay the caller's and must live, unchanged, until
 *    tw_decoder_next() has returned 0 or less.  What an event points to lives
 *    until the next call on that decoder.  The caller never frees a pointer
 *    that the library hands out.
 *  - Errors are negative, TW_ERROR_*.  TW_ERROR_ARGUMENT and TW_ERROR_STATE
 *    change nothing and do not stick (but for events out of order, see
 *    tw_writer_event()), nor do errors of functions that set something.  All
 *    other errors stick until tw_decoder_reset(), and tw_decoder_next() first
 *    delivers every event that was made before the error.
 *  - Text is (pointer, size); NUL is an ordinary byte.  Where a pointer to
 *    text is NULL, its size must be 0.
 *  - Threads: the library has no shared state.  One thread at a time uses an
 *    object; any number of objects work side by side.
 *  - Limits count bytes or calls; L is accepted, L + 1 is not.
 */
#ifndef TOOLWIRE_H
#define TOOLWIRE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TW_API
#elif defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ----------------------------------------------------------- */

#define TW_VERSION_MAJOR 0
#define TW_VERSION_MINOR 1
#define TW_VERSION_PATCH 0
#define TW_VERSION "0.1.0"

/* The version of the library that was linked, as "MAJOR.MINOR.PATCH". */
TW_API const char *tw_version(void);

/* ---- Errors ------------------------------------------------------------ */

/* Pinned: a code never changes its number or its meaning. */
enum {
    TW_OK = 0,
    TW_ERROR_ARGUMENT = -1,      /* a value that the function cannot take */
    TW_ERROR_STATE = -2,         /* not now: see the function */
    TW_ERROR_MEMORY = -3,        /* the allocator returned NULL */
    TW_ERROR_LIMIT = -10,        /* TW_OPTION_LIMIT_INPUT was passed */
    TW_ERROR_DEVIATION = -11,    /* strict: the first deviation; |detail| is
                                    its diagnostic */
    TW_ERROR_JSON = -12,         /* a record, request or tool list is not
                                    JSON */
    TW_ERROR_SCHEMA = -13,       /* ... is JSON, but not of the shape asked */
    TW_ERROR_CONTROL_TEXT = -20, /* text of a request holds a marker */
    TW_ERROR_CANNOT_CARRY = -21, /* the format has no place for a value */
    TW_ERROR_LOSS = -22,         /* content or a call would be lost, and
                                    TW_LOSS_POLICY_REFUSE was set; |detail|
                                    is the loss's code */
    TW_ERROR_TEMPLATE = -23,     /* a chat template is not one, or refuses */
    TW_ERROR_UNSTABLE = -24      /* a template changes what stands before a
                                    new message: tw_encoder_extend() */
};

typedef struct tw_error {
    int32_t code;        /* TW_OK if there is none */
    int32_t detail;      /* TW_ERROR_DEVIATION: the diagnostic's code; of a
                            report and TW_ERROR_LOSS, the loss's; else 0 */
    uint64_t offset;     /* in bytes from the start of the input */
    const char *message; /* constant text, never NULL */
    const char *path;    /* where in a JSON record, or NULL */
} tw_error;

/* The name of an error code ("TW_ERROR_LIMIT"), or NULL if there is none. */
TW_API const char *tw_error_name(int32_t code);

/* ---- Memory ------------------------------------------------------------ */

/* One function allocates (pointer NULL, old_size 0), frees (new_size 0; it
 * returns NULL) and resizes like realloc().  When there is no memory, it
 * returns NULL and the old block stays as it is.  The result is aligned for
 * every type.  Wherever the library takes a |const tw_allocator *|, NULL means
 * the C library's. */
typedef struct tw_allocator {
    void *(*resize)(void *context, void *pointer, size_t old_size,
                    size_t new_size);
    void *context;
} tw_allocator;

/* ---- Formats ----------------------------------------------------------- */

/* A dialect of a wire format, such as "hermes/qwen3".  Formats are constant,
 * and only those that tw_format_load() makes are freed. */
typedef struct tw_format tw_format;

/* What a marker is for. */
typedef enum tw_marker_role {
    TW_MARKER_CALL_OPEN = 1,
    TW_MARKER_CALL_CLOSE,
    TW_MARKER_REASONING_OPEN,
    TW_MARKER_REASONING_CLOSE,
    TW_MARKER_STRING, /* Gemma's string delimiter, both ends */
    TW_MARKER_HEADER, /* begins a part of a message header */
    TW_MARKER_BODY,   /* between header and body */
    TW_MARKER_END,    /* ends a message */
    TW_MARKER_TURN    /* begins a turn, or stands in prompts alone: around
                         results or declarations, for an image */
} tw_marker_role;

/* A byte string that structures the wire. */
typedef struct tw_marker {
    const char *text;
    size_t size;
    uint32_t role;   /* tw_marker_role */
    uint8_t token;   /* 1: one token, which a server must preserve */
    uint8_t literal; /* 1: TW_MARK_TEXT is TW_MARK_UNKNOWN for it */
    uint8_t stop;    /* 1: generation ends at it */
    uint8_t decoded; /* 1: structure in a completion; else prompts only */
} tw_marker;

/* The format of this name ("hermes", "hermes/qwen3"), or else the one that a
 * model of this name writes ("Qwen/Qwen3-8B", "GLM-5"); NULL: unknown. */
TW_API const tw_format *tw_format_find(const char *name);
/* The i-th name that is near an unknown one, from 0; NULL behind the last. */
TW_API const char *tw_format_near(const char *name, size_t i);
/* The i-th dialect, from 0; NULL behind the last. */
TW_API const tw_format *tw_format_at(size_t i);
/* The format's canonical name ("hermes/qwen3"), constant text. */
TW_API const char *tw_format_name(const tw_format *format);
/* A shorter name ("hermes"), or NULL. */
TW_API const char *tw_format_alias(const tw_format *format);
/* The i-th model that writes it, from 0; NULL behind the last. */
TW_API const char *tw_format_model(const tw_format *format, size_t i);
/* One line that says what the format is, constant text. */
TW_API const char *tw_format_about(const tw_format *format);
/* 1: prompts are written; 0: completions only. */
TW_API int tw_format_has_prompts(const tw_format *format);
/* 1: a reader of its own takes whole prompts, with tools in any notation, as
 * far as it understands them.  0: of a format with prompts those are read back
 * that it writes itself, to the byte; of others, completions only. */
TW_API int tw_format_reads_transcripts(const tw_format *format);
/* 1 and the i-th marker (constant), from 0; 0 behind the last. */
TW_API int tw_format_marker(const tw_format *format, size_t i,
                            const tw_marker **marker);

/* What of a request changes the prompt: a member of its
 * `chat_template_kwargs`, or of TW_TEXT_SETTINGS. */
typedef struct tw_setting {
    const char *name;  /* "enable_thinking" */
    const char *type;  /* "boolean", "string" or "array", as in JSON Schema */
    const char *about; /* what it changes, one line */
} tw_setting;
/* 1 and the i-th setting (constant) that the format's prompts know, from 0;
 * 0 behind the last, and of a format without prompts. */
TW_API int tw_format_setting(const tw_format *format, size_t i,
                             const tw_setting **setting);

/* ---- Formats from descriptions ----------------------------------------- */

/* Why a description was not loaded; the caller's, with its text. */
typedef struct tw_format_error {
    int32_t code;      /* what tw_format_load() returned */
    uint64_t offset;   /* JSON: where in the document; "example": where in its
                          text; else 0 */
    char message[320]; /* the place and what is wrong there, ended by a NUL:
                          "call[1]: 3: {nme} is no hole here" is byte 3 of the
                          second pattern of `call` */
} tw_format_error;

/* Makes a format of a description (docs/describing.md), a JSON text of at
 * most 64 KiB, or of Hugging Face's response_template, bare or inside a
 * tokenizer_config.json of at most 16 MiB.  tw_decoder_new() and
 * tw_encoder_new() take the format like any other.  Completions are read and
 * written, but no prompts, and tw_format_find() does not find the format.
 * Time is linear and memory bounded, whatever the document says.  Document
 * and allocator are copied.  Without a name the format is "unnamed".
 * JSON; SCHEMA: no description, or its `example` deviates; MEMORY; ARGUMENT.
 * Then *format is NULL, and |error| (or NULL) says why. */
TW_API int tw_format_load(const char *json, size_t size,
                          const tw_allocator *allocator, tw_format **format,
                          tw_format_error *error);
/* The description of a format, built in or loaded, as a JSON text that loads
 * back to the same format.  Writes no more than |room| bytes, without a NUL,
 * and returns how many bytes the description has: 0 if there is none (Gemma
 * and Harmony are programs). */
TW_API size_t tw_format_describe(const tw_format *format, char *json,
                                 size_t room);
/* The i-th doubt about a description, from 0 ("stops: missing: ..."), constant
 * text; NULL behind the last. */
TW_API const char *tw_format_warning(const tw_format *format, size_t i);
/* Frees a format that was loaded, after all that use it.  NULL and formats
 * that are built in are allowed, and stay. */
TW_API void tw_format_free(tw_format *format);

/* ---- Diagnostics ------------------------------------------------------- */

/* clang-format off */

/* The one table: symbol, number, deviation (D) or warning (W, which strict
 * mode does not refuse), name, explanation.  Numbers and names are pinned like
 * those of errors.  The command's `explain` and docs/diagnostics.md are made
 * of this table. */
#define TW_DIAGNOSTICS(X)                                                      \
    /* JSON, wherever it stands on the wire */                                 \
    X(LONE_SURROGATE, 1, W, "lone_surrogate",                                  \
      "A \\u escape is half of a surrogate pair; its spelling is kept.")       \
    X(RAW_CONTROL, 2, D, "raw_control",                                        \
      "A string holds raw control characters; they are escaped.")              \
    X(BAD_ESCAPE, 3, D, "bad_escape",                                          \
      "A backslash begins no JSON escape: doubled, or dropped before '.")      \
    X(SINGLE_QUOTED, 4, D, "single_quoted",                                    \
      "A string stands in apostrophes; they become double quotes.")            \
    X(PYTHON_LITERALS, 5, D, "python_literals",                                \
      "True, False or None stand for true, false or null.")                    \
    X(TRAILING_COMMA, 6, D, "trailing_comma",                                  \
      "A comma stands before a closer; it is dropped.")                        \
    X(EXTRA_CLOSER, 7, D, "extra_closer",                                      \
      "A closer has no opener; it is dropped.")                                \
    X(MISSING_CLOSER, 8, D, "missing_closer",                                  \
      "Closers are missing before the end of the block; they are added.")      \
    X(EMPTY_ARGUMENTS, 9, D, "empty_arguments",                                \
      "The arguments are absent, null or an empty string; they become {}.")    \
    X(ODD_WHITESPACE, 10, D, "odd_whitespace",                                 \
      "A blank that JSON does not know stands between tokens: dropped.")       \
    X(BOM, 11, D, "bom",                                                       \
      "A byte order mark stands between tokens; it is dropped.")               \
    X(LITERAL_BACKSLASH_N, 12, D, "literal_backslash_n",                       \
      "The two characters \\n, \\r or \\t stand between tokens as a blank.")   \
    X(DOUBLED_BRACES, 13, D, "doubled_braces",                                 \
      "Braces are doubled, as in a Python format string; one is dropped.")     \
    X(INVALID_UTF8, 14, D, "invalid_utf8",                                     \
      "Bytes are not UTF-8; each ill-formed part becomes U+FFFD.")             \
    X(ARGUMENTS_STRING, 15, D, "arguments_string",                             \
      "The arguments are a string that holds the object: unwrapped once.")     \
    X(REPAIR_GIVEN_UP, 16, W, "repair_given_up",                               \
      "A look-ahead limit was reached; the canonical reading stands.")         \
    /* calls and blocks, every family */                                       \
    X(UNDECLARED_TOOL, 20, W, "undeclared_tool",                               \
      "The call names a tool that the tool list does not have.")               \
    X(NAME_WHITESPACE, 21, W, "name_whitespace",                               \
      "The name begins or ends with white space; it is kept.")                 \
    X(MISSING_CALL_OPEN, 22, D, "missing_call_open",                           \
      "The marker that opens a call is missing.")                              \
    X(MISSING_CALL_CLOSE, 23, D, "missing_call_close",                         \
      "The marker that closes a call is missing.")                             \
    X(CALL_IN_REASONING, 24, D, "call_in_reasoning",                           \
      "A call stands in reasoning that is never closed.")                      \
    X(JUNK_AFTER_OBJECT, 25, D, "junk_after_object",                           \
      "Text stands between a call's object and its close marker; dropped.")    \
    X(OUTPUT_AFTER_END, 26, D, "output_after_end",                             \
      "Text stands behind the marker that ends the message; it is dropped.")   \
    X(ORPHAN_REASONING_CLOSE, 27, W, "orphan_reasoning_close",                 \
      "A marker closes reasoning that nothing opened.  If the prompt ended "   \
      "inside reasoning, say so: --start reasoning, or the end of the prompt " \
      "to tw_decoder_set_prompt().")                                           \
    X(FOREIGN_MARKER, 28, W, "foreign_marker",                                 \
      "The text holds a call as another format writes it.  If the model "      \
      "writes that format, read it as such: another -f, or --wire for texts "  \
      "in records.")                                                           \
    X(NO_GENERATION_PROMPT, 29, W, "no_generation_prompt",                     \
      "The prompt does not end in a turn of the model's; its answer is read "  \
      "as if the generation prompt stood there.")                              \
    /* calls against the schema of their tool: TW_OPTION_VALIDATE */           \
    X(MISSING_PARAMETER, 30, W, "missing_parameter",                           \
      "A parameter that the tool's schema requires is missing.")               \
    X(UNKNOWN_PARAMETER, 31, W, "unknown_parameter",                           \
      "The tool's schema has no such parameter.")                              \
    X(PARAMETER_TYPE, 32, W, "parameter_type",                                 \
      "A value is of another type than the tool's schema says.")               \
    X(PARAMETER_VALUE, 33, W, "parameter_value",                               \
      "A value is none of those that the tool's schema lists.")                \
    X(PARAMETER_RANGE, 34, W, "parameter_range",                               \
      "A number, length or count is not in the range of the schema.")          \
    X(PARAMETER_PATTERN, 35, W, "parameter_pattern",                           \
      "A text does not match the pattern of the tool's schema.")               \
    X(PARAMETER_RULE, 36, W, "parameter_rule",                                 \
      "A value breaks a rule of the schema: anyOf, not, uniqueItems ...")      \
    X(SCHEMA_UNREAD, 37, W, "schema_unread",                                   \
      "The tool's schema says more than is checked: a reference to elsewhere, "\
      "or a pattern or a keyword that is not read.")                           \
    X(UNCHECKED_CALL, 38, W, "unchecked_call",                                 \
      "Calls were to be checked, and no tools are declared; give them: "       \
      "--tools, or tw_decoder_set_tools().")                                   \
    X(SCHEMA_BROKEN, 39, W, "schema_broken",                                   \
      "A part of the tool's schema is none: a type that JSON Schema does not " \
      "have, or a keyword with a value of the wrong type; it is not checked.") \
    /* Gemma 4 */                                                              \
    X(LOOSE_HEAD, 40, D, "loose_head",                                         \
      "The head of the call is not exactly as the format writes it.")           \
    X(PAREN_ARGS, 41, D, "paren_args",                                         \
      "The arguments stand in round brackets.")                                \
    X(CALLS_SHARE_BLOCK, 42, D, "calls_share_block",                           \
      "A second call begins before the block of the first is closed.")         \
    X(STRAY_MARKER, 43, D, "stray_marker",                                     \
      "A marker stands where it closes or opens nothing; it is skipped.")      \
    X(UNCLOSED_REASONING, 44, D, "unclosed_reasoning",                         \
      "The message ends before its reasoning is closed.")                      \
    X(MISSING_STRING_OPEN, 45, D, "missing_string_open",                       \
      "The delimiter that opens a string is missing.")                         \
    X(MISSING_STRING_CLOSE, 46, D, "missing_string_close",                     \
      "The delimiter that closes a string is missing.")                        \
    X(INTERIOR_DELIMITER, 47, D, "interior_delimiter",                         \
      "A delimiter stands inside a string, followed by nothing that may "      \
      "follow a string; it is kept as text.")                                  \
    X(DANGLING_DELIMITER, 48, D, "dangling_delimiter",                         \
      "A delimiter stands behind a quoted string; it is dropped.")             \
    X(MISSING_COMMA, 49, D, "missing_comma",                                   \
      "The comma between two pairs is missing.")                               \
    X(EXTRA_COMMA, 50, D, "extra_comma",                                       \
      "A comma is doubled; it is dropped.")                                    \
    X(EMPTY_VALUE, 51, D, "empty_value",                                       \
      "A key has no value; it gets the empty string.")                         \
    X(EQUALS_SEPARATOR, 52, D, "equals_separator",                             \
      "An equals sign separates key and value.")                               \
    X(QUOTED_KEY, 53, D, "quoted_key",                                         \
      "A key stands between string delimiters.")                               \
    X(JSON_KEY, 54, D, "json_key", "A key stands in double quotes.")           \
    X(JSON_STRING, 55, D, "json_string",                                       \
      "A string is written as in JSON, in double quotes.")                     \
    X(BACKTICK_STRING, 56, D, "backtick_string",                               \
      "A string stands in backticks.")                                         \
    X(BARE_STRING, 57, D, "bare_string",                                       \
      "A value without delimiters is no number or literal: a string.")         \
    X(PARAMETER_MENDED, 58, W, "parameter_mended",                             \
      "A value did not fit the schema by its type alone; it is given as the "  \
      "one value that says the same and fits.")                                \
    X(SCHEMA_LIMIT, 60, W, "schema_limit",                                     \
      "The tool's schema or the call is too much to be checked to its end.")   \
    X(CALL_LIKE_TEXT, 61, W, "call_like_text",                                 \
      "Text opens a call and goes on as one might, but it is none.")           \
    X(DUPLICATE_ID, 62, W, "duplicate_id",                                     \
      "Another call of the message has this id; this one gets another.")       \
    X(TOOL_CHOICE_UNMET, 63, W, "tool_choice_unmet",                           \
      "The request asked for a call, or for one of one tool; the message has " \
      "none, or has another.")                                                 \
    /* Hermes */                                                               \
    X(DOUBLED_OPEN_TAG, 70, D, "doubled_open_tag",                             \
      "The tag that opens a call is written twice.")                           \
    X(ORPHAN_CLOSE_TAG, 71, D, "orphan_close_tag",                             \
      "A close tag stands alone; it is skipped.")                              \
    X(KEY_PARAMETERS, 72, D, "key_parameters",                                 \
      "The arguments stand under another name than the format's, such as "     \
      "`parameters`, `args` or `input`.")                                      \
    X(KEY_FUNCTION, 73, D, "key_function",                                     \
      "The name stands under `function`.")                                     \
    X(KEY_CASE, 74, D, "key_case",                                             \
      "A key of the call object is written with capitals.")                    \
    X(BOTH_ARGUMENT_KEYS, 75, D, "both_argument_keys",                         \
      "`parameters` and `arguments` stand side by side: the format's counts.") \
    X(DUPLICATE_KEY, 76, D, "duplicate_key",                                   \
      "The name is given twice; the last one before the arguments counts.")    \
    X(OPENAI_WRAPPED, 77, D, "openai_wrapped",                                 \
      "The call stands in an OpenAI envelope under `function`.")               \
    X(CODE_FENCE, 78, D, "code_fence",                                         \
      "The object stands in a code fence inside the block.")                   \
    X(JUNK_BEFORE_OBJECT, 79, D, "junk_before_object",                         \
      "Text stands between the open tag and the object.")                      \
    X(MANY_OBJECTS_IN_TAG, 80, D, "many_objects_in_tag",                       \
      "Several call objects stand in one block.")                              \
    X(ARRAY_IN_TAG, 81, D, "array_in_tag",                                     \
      "The block holds an array of calls.")                                    \
    X(QWEN3_CODER_BODY, 82, D, "qwen3_coder_body",                             \
      "The block holds <function=...> tags, as Qwen3-Coder writes them.")      \
    X(GLM_BODY, 83, D, "glm_body",                                             \
      "The block holds <arg_key> tags, as GLM writes them.")                   \
    X(NO_LIST_IN_TAG, 84, D, "no_list_in_tag",                                 \
      "The block holds a call without the list around it.")                    \
    /* Mistral */                                                              \
    X(MISSING_ARGS_MARKER, 90, D, "missing_args_marker",                       \
      "The marker between a call's name and its arguments is missing.")       \
    /* sections of calls, wrappers of text */                                  \
    X(MISSING_SECTION_OPEN, 91, D, "missing_section_open",                     \
      "A call stands outside the section that calls stand in.")                \
    X(MISSING_SECTION_CLOSE, 92, D, "missing_section_close",                   \
      "A section of calls is not closed; the end of output closes it.")        \
    X(TEXT_IN_SECTION, 93, D, "text_in_section",                               \
      "Text stands between the calls of a section; it is dropped.")            \
    X(MISSING_TEXT_CLOSE, 94, D, "missing_text_close",                         \
      "The marker that closes text is missing.")                               \
    X(MISSING_REASONING_CLOSE, 95, D, "missing_reasoning_close",               \
      "Text begins in reasoning that was not closed.")                         \
    /* Harmony */                                                              \
    X(MISSING_HEADER, 100, D, "missing_header",                                \
      "Text stands without a message header; it is content.")                  \
    X(MISSING_START, 101, D, "missing_start",                                  \
      "A header begins without <|start|>.")                                    \
    X(MISSING_END, 102, D, "missing_end",                                      \
      "The next header begins before the message is ended.")                   \
    X(MISSING_MESSAGE, 103, D, "missing_message",                              \
      "A header is not ended by <|message|>.")                                 \
    X(MISSING_ROLE, 104, D, "missing_role", "A header has no role.")           \
    X(MISSING_CHANNEL, 105, D, "missing_channel", "A header has no channel.")  \
    X(MISSING_TO, 106, D, "missing_to",                                        \
      "A recipient is written without `to=`.")                                 \
    X(STRAY_TERMINATOR, 107, D, "stray_terminator",                            \
      "A marker ends a message where there is none.")                          \
    X(STRAY_TEXT, 108, D, "stray_text",                                        \
      "Text stands between two messages; it is dropped.")                      \
    X(BLANK_BETWEEN, 109, D, "blank_between",                                  \
      "Blanks stand between two messages.")                                    \
    X(TRUNCATED_HEADER, 110, D, "truncated_header",                            \
      "The output ends inside a header; what there is of it is dropped.")      \
    X(REPEATED_START, 111, D, "repeated_start", "<|start|> is repeated.")      \
    X(REPEATED_MESSAGE, 112, D, "repeated_message",                            \
      "<|message|> is repeated.")                                              \
    X(REPEATED_RECIPIENT, 113, D, "repeated_recipient",                        \
      "A header names more than one recipient; the last tool counts.")         \
    X(MARKER_IN_BODY, 114, D, "marker_in_body",                                \
      "A marker that begins no header stands in a body; it is text.")          \
    X(ODD_TERMINATOR, 115, D, "odd_terminator",                                \
      "A call is not ended by <|call|>.")                                      \
    X(ODD_ORDER, 116, D, "odd_order",                                          \
      "The content type stands before the channel.")                           \
    X(ODD_CHANNEL, 117, D, "odd_channel",                                      \
      "A channel is written twice, in capitals, or glued to its neighbour.")   \
    X(ODD_CONTENT_TYPE, 118, D, "odd_content_type",                            \
      "A content type has more than one word; the first counts.")              \
    X(CHANNEL_AS_ROLE, 119, D, "channel_as_role",                              \
      "A channel's name stands where the role belongs.")                       \
    X(UNKNOWN_CHANNEL, 120, D, "unknown_channel",                              \
      "The channel is not known; its text is content.")                        \
    X(EMPTY_CHANNEL, 121, D, "empty_channel", "The channel is empty.")         \
    X(UNKNOWN_ROLE, 122, D, "unknown_role",                                    \
      "The role is not known; it is taken for the assistant.")                 \
    X(NOT_A_TOOL, 123, D, "not_a_tool",                                        \
      "The recipient is an author, not a tool; the text is no call.")          \
    X(NAME_REPAIRED, 124, D, "name_repaired",                                  \
      "The name was cut out of a longer word.")                                \
    X(NAME_WITH_BLANK, 125, D, "name_with_blank",                              \
      "The name holds a blank; the tool list has it.")                         \
    X(BARE_RECIPIENT, 126, D, "bare_recipient",                                \
      "The recipient is a tool's name without its namespace.")                 \
    X(FOREIGN_MESSAGE, 127, D, "foreign_message",                              \
      "A message of another author; it is dropped.")                           \
    X(PARTIAL_TERMINATOR, 128, D, "partial_terminator",                        \
      "The output ends inside the marker that ends a call.")                   \
    X(STRIPPED_MARKERS, 129, D, "stripped_markers",                            \
      "The markers were stripped; the text was read without them.")            \
    X(HALF_MARKER, 130, D, "half_marker",                                      \
      "The output ends inside a marker, behind a token of it: dropped.")       \
    X(CLOSER_IN_VALUE, 131, D, "closer_in_value",                              \
      "A value holds its own close marker.")                                   \
    X(MISSING_VALUE_OPEN, 132, D, "missing_value_open",                        \
      "The marker in front of a value is missing.")                            \
    X(MISSING_VALUE_CLOSE, 133, D, "missing_value_close",                      \
      "The marker behind a value is missing.")                                 \
    X(MISSING_KEY_CLOSE, 134, D, "missing_key_close",                          \
      "The marker behind a parameter's name is missing.")                      \
    X(MISSING_TAG_END, 135, D, "missing_tag_end",                              \
      "A tag lacks the > at its end.")                                         \
    X(ATTRIBUTE_QUOTES, 136, D, "attribute_quotes",                            \
      "An attribute stands in other quotes, or in none.")                      \
    X(LOOSE_MARKER, 137, D, "loose_marker",                                    \
      "A marker is written otherwise than the format does.")                   \
    X(TYPE_MISMATCH, 138, D, "type_mismatch",                                  \
      "A value is none of the types that were declared: it is a string.")      \
    X(BARE_QUOTE, 140, D, "bare_quote",                                        \
      "A quote inside a string is not escaped; it is part of the string.")     \
    X(LEADING_ZEROS, 141, D, "leading_zeros",                                  \
      "An integer begins with zeros; they are dropped.")                       \
    X(SET_LITERAL, 142, D, "set_literal",                                      \
      "A set stands where JSON has none; it becomes an array.")                \
    X(KEY_NOT_STRING, 143, D, "key_not_string",                                \
      "A number or a constant is a key; it becomes a string.")                 \
    X(DUPLICATE_PARAMETER, 144, D, "duplicate_parameter",                      \
      "A parameter is given twice; both stay.")                                \
    X(NO_LIST, 145, D, "no_list",                                              \
      "Calls of a list stand without its brackets.")                           \
    X(LIST_IN_LINES, 146, D, "list_in_lines",                                  \
      "Brackets stand around calls that have lines of their own.")             \
    X(JSON_BODY, 147, D, "json_body",                                          \
      "A call is written in JSON where the format has another form.")          \
    X(ECHOED_CALL, 148, D, "echoed_call",                                      \
      "The calls are repeated behind their close marker; that is dropped.")    \
    X(LOOSE_LITERAL, 149, D, "loose_literal",                                  \
      "A number or a word is not as JSON writes it; it becomes that.")         \
    /* why a block is listed as unparsed */                                    \
    X(TRUNCATED_CALL, 200, D, "truncated_call",                                \
      "The output ends inside a call.")                                        \
    X(EMPTY_CALL, 201, D, "empty_call", "A block holds no call.")              \
    X(NO_NAME, 202, D, "no_name", "A call has no name.")                       \
    X(BAD_NAME, 203, D, "bad_name", "A name holds a NUL byte.")                \
    X(SYNTAX_ERROR, 204, D, "syntax_error",                                    \
      "The arguments of a call cannot be read.")                               \
    X(ARGUMENTS_NOT_OBJECT, 205, D, "arguments_not_object",                    \
      "The arguments are not one JSON object, or under none of their names.")  \
    X(DUPLICATE_CALL_KEY, 206, D, "duplicate_call_key",                        \
      "The call gives its arguments, or its name, twice: a reader that picks " \
      "one may run what nobody meant.")                                        \
    X(NOT_OBJECT, 207, D, "not_object",                                        \
      "An element of an array of calls is no object.")                         \
    X(NO_KEY, 208, D, "no_key", "A key is missing.")                           \
    X(NO_VALUE, 209, D, "no_value", "A value is missing.")                     \
    X(NO_COMMA, 210, D, "no_comma",                                            \
      "Something stands behind a value that may not follow it.")               \
    X(INNER_QUOTE, 211, D, "inner_quote",                                      \
      "An unescaped quote stands inside a quoted string.")                     \
    X(UNCLOSED_QUOTE, 212, D, "unclosed_quote",                                \
      "A quoted string is not closed before the block is.")                    \
    X(UNBALANCED_TEXT, 213, D, "unbalanced_text",                              \
      "A value without delimiters has unbalanced brackets.")                   \
    X(STRAY_DELIMITER, 214, D, "stray_delimiter",                              \
      "A string delimiter stands inside a value without delimiters.")          \
    X(ARGUMENTS_GO_ON, 215, D, "arguments_go_on",                              \
      "More arguments stand behind the brace that closes them.")               \
    X(PROSE_AFTER_BARE_CALL, 216, D, "prose_after_bare_call",                  \
      "Prose follows a call that had no markers.")                             \
    X(UNKNOWN_HEAD, 217, D, "unknown_head",                                    \
      "A block opens as a call does, and goes on as none.")                    \
    X(LIMIT_DEPTH, 220, D, "limit_depth",                                      \
      "The arguments are nested too deeply (TW_OPTION_LIMIT_DEPTH).")          \
    X(LIMIT_NAME, 221, D, "limit_name",                                        \
      "The name is too long (TW_OPTION_LIMIT_NAME).")                          \
    X(LIMIT_ARGUMENTS, 222, D, "limit_arguments",                              \
      "The arguments are too long (TW_OPTION_LIMIT_ARGUMENTS).")               \
    X(LIMIT_CALLS, 223, D, "limit_calls",                                      \
      "There are too many calls (TW_OPTION_LIMIT_CALLS).")                     \
    X(LIMIT_LOOKAHEAD, 224, D, "limit_lookahead",                              \
      "A key or a value without delimiters is too long to be held.")           \
    X(NOT_A_LITERAL, 225, D, "not_a_literal",                                  \
      "A value is an expression, a name or bytes, and no literal.")            \
    X(POSITIONAL_ARGUMENT, 226, D, "positional_argument",                      \
      "An argument has no keyword.")                                           \
    X(UNPACKING, 227, D, "unpacking",                                          \
      "Arguments are unpacked with * or **.")                                  \
    X(COMMENT, 228, D, "comment",                                              \
      "A comment stands between the tokens of a call.")                        \
    X(NAMED_ESCAPE, 229, D, "named_escape",                                    \
      "A character is given by its name (\\N{...}).")                          \
    X(KEY_NOT_SCALAR, 230, D, "key_not_scalar",                                \
      "A list, a tuple or a dict is a key.")                                   \
    X(LIMIT_NUMBER, 231, D, "limit_number",                                    \
      "A number is too long, or hexadecimal and beyond 64 bits.")              \
    X(MANY_KEYS, 232, D, "many_keys",                                          \
      "An object that should have one key, the name, has several.")
/* clang-format on */

enum {
    TW_DIAGNOSTIC_NONE = 0,
#define TW_DIAGNOSTIC_NUMBER(symbol, number, kind, name, text)                 \
    TW_DIAGNOSTIC_##symbol = number,
    TW_DIAGNOSTICS(TW_DIAGNOSTIC_NUMBER)
#undef TW_DIAGNOSTIC_NUMBER
};

typedef struct tw_diagnostic {
    uint32_t code;
    uint32_t warning; /* 1: strict mode does not refuse it */
    const char *name; /* "trailing_comma" */
    const char *text; /* one sentence */
} tw_diagnostic;

/* By code, by name, or the i-th of the table from 0; constant, or NULL. */
TW_API const tw_diagnostic *tw_diagnostic_get(uint32_t code);
TW_API const tw_diagnostic *tw_diagnostic_find(const char *name);
TW_API const tw_diagnostic *tw_diagnostic_at(size_t i);

/* ---- Losses ------------------------------------------------------------ */

/* What an encoder or a converter could not carry over, or wrote otherwise than
 * it came.  The one table: symbol, number, kind (a tw_report_kind), severity
 * (a tw_severity), name, explanation.  Pinned like the errors; the command's
 * `explain` and docs/diagnostics.md are made from it. */
#define TW_LOSSES(X)                                                           \
    X(TEMPLATE_DEFECT, 300, TEMPLATE_DEFECT, NONE, "template_defect",          \
      "The template is broken here; the undamaged form was written.")          \
    X(BROKEN_MARKER, 301, BROKEN_MARKER, DETAIL, "broken_marker",              \
      "U+200B stands in text that would have been a marker, as asked for.")    \
    /* text that people and models wrote */                                    \
    X(CONTENT_NOT_TEXT, 310, LOSS, CONTENT, "content_not_text",                \
      "The content is neither text nor a list of parts; it is left out.")      \
    X(PART_NOT_TEXT, 311, LOSS, CONTENT, "part_not_text",                      \
      "The part is no text (an image, sound, file); it has no place.")         \
    X(CONTENT_DROPPED, 312, LOSS, CONTENT, "content_dropped",                  \
      "The target has no place for this text; it is left out.")                \
    X(MESSAGE_DROPPED, 313, LOSS, CONTENT, "message_dropped",                  \
      "The target has no place for this message; it is left out.")             \
    X(REASONING_DROPPED, 314, LOSS, CONTENT, "reasoning_dropped",              \
      "The target has no place for reasoning; it is left out.")                \
    X(OLD_REASONING, 315, LOSS, DETAIL, "old_reasoning",                       \
      "The template leaves out the reasoning of turns before this one.")       \
    X(REFUSAL_DROPPED, 316, LOSS, CONTENT, "refusal_dropped",                  \
      "The target has no place for a refusal; it is left out.")                \
    X(CONTENT_MISREAD, 317, LOSS, CONTENT, "content_misread",                  \
      "The text is written, and reads back as something else.")                \
    X(LONE_SURROGATE_LOST, 318, LOSS, CONTENT, "lone_surrogate_lost",          \
      "Half of a surrogate pair has no place here; it becomes U+FFFD.")        \
    X(MEMBER_REPLACED, 319, LOSS, CONTENT, "member_replaced",                  \
      "The record's own member gives way to a result of this name.")           \
    X(CONTENT_MOVED, 320, LOSS, DETAIL, "content_moved",                       \
      "The text stands in another place of the conversation than before.")     \
    X(MESSAGE_MERGED, 321, LOSS, DETAIL, "message_merged",                     \
      "The message reads back as a part of another one.")                      \
    X(PARTS_JOINED, 322, LOSS, DETAIL, "parts_joined",                         \
      "The parts of a content become one text; where they met is lost.")       \
    X(OUTER_WHITESPACE, 323, LOSS, DETAIL, "outer_whitespace",                 \
      "The target cuts white space off at the ends of this text.")             \
    X(EMPTY_TEXT, 324, LOSS, DETAIL, "empty_text",                             \
      "Empty text reads back as none, or none as empty text.")                 \
    X(TEXTS_JOINED, 325, CHANGE, NONE, "texts_joined",                         \
      "The target has one place for these texts; each is there in full.")      \
    /* calls, results, tools */                                                \
    X(UNPARSED_CALL, 330, LOSS, CALL, "unparsed_call",                         \
      "A block could not be read as a call; the target has no place for it.")  \
    X(CALL_DROPPED, 331, LOSS, CALL, "call_dropped",                           \
      "The target has no place for this call; it is left out.")                \
    X(TOOL_DROPPED, 332, LOSS, CALL, "tool_dropped",                           \
      "The target has no place for this tool; it is not declared.")            \
    X(RESULT_UNMATCHED, 333, LOSS, CALL, "result_unmatched",                   \
      "The result answers no call before it.")                                 \
    X(RESULT_ERROR_FLAG, 334, LOSS, CALL, "result_error_flag",                 \
      "The target cannot say that a result is an error.")                      \
    X(CALL_ID, 335, LOSS, DETAIL, "call_id",                                   \
      "The target keeps no ids of calls; others are made when it is read.")    \
    X(RESULT_NAME, 336, LOSS, DETAIL, "result_name",                           \
      "The target keeps no names of results.")                                 \
    X(CALL_FORM, 337, LOSS, DETAIL, "call_form",                               \
      "The call reads back in another form.")                                  \
    X(ARGUMENTS_SPELLING, 338, LOSS, DETAIL, "arguments_spelling",             \
      "The arguments mean the same and are spelled otherwise.")                \
    X(ARGUMENTS_ORDER, 339, LOSS, DETAIL, "arguments_order",                   \
      "The target sorts the keys of arguments.")                               \
    X(NO_ARGUMENTS, 340, LOSS, DETAIL, "no_arguments",                         \
      "Absent arguments read back as {}.")                                     \
    X(TOOL_PART, 341, LOSS, DETAIL, "tool_part",                               \
      "The target's declaration of a tool does not show this part.")           \
    X(CALL_ORDER, 342, LOSS, DETAIL, "call_order",                             \
      "The target cannot say that this stood behind a call.")                  \
    X(RESULT_MISPLACED, 343, LOSS, CALL, "result_misplaced",                   \
      "The result reads back as that of another call, or of none.")            \
    X(ARGUMENT_TYPE, 344, LOSS, DETAIL, "argument_type",                       \
      "The value of this argument reads back with another type.")              \
    X(ID_REPLACED, 345, LOSS, DETAIL, "id_replaced",                           \
      "Another call of the message has this id, too; this one gets another.")  \
    X(REPEATED_ID, 346, WARNING, NONE, "repeated_id",                          \
      "A call of an earlier message has this id, too.")                        \
    X(CALL_UNANSWERED, 347, WARNING, NONE, "call_unanswered",                  \
      "The conversation goes on, and no result answers this call.")            \
    X(RESULT_OUT_OF_PLACE, 348, WARNING, NONE, "result_out_of_place",          \
      "The result does not stand directly behind its call's message.")         \
    X(RESULT_SPLIT, 349, CHANGE, NONE, "result_split",                         \
      "One result was a list for several calls: each gets its element.")       \
    /* all else */                                                             \
    X(ROLE_CHANGED, 350, LOSS, DETAIL, "role_changed",                         \
      "The target writes this role as another.")                               \
    X(MEMBER_DROPPED, 351, LOSS, DETAIL, "member_dropped",                     \
      "The target has no place for this member; it is left out.")              \
    X(AUTHOR_NAME, 352, LOSS, DETAIL, "author_name",                           \
      "The name of a message's author does not read back.")                    \
    X(SETTING_TYPE, 353, WARNING, NONE, "setting_type",                        \
      "The template asks this setting for a value of another type.")

typedef enum tw_report_kind {
    TW_REPORT_LOSS = 1,            /* the target does not carry it */
    TW_REPORT_TEMPLATE_DEFECT = 2, /* the undamaged form was written */
    TW_REPORT_BROKEN_MARKER = 3,   /* TW_CONTROL_TEXT_BREAK */
    TW_REPORT_CHANGE = 4,          /* all is there, and reads back otherwise */
    TW_REPORT_WARNING = 5          /* it came so and stays; APIs may refuse it */
} tw_report_kind;

typedef enum tw_severity {
    TW_SEVERITY_NONE = 0,   /* nothing is lost */
    TW_SEVERITY_DETAIL = 1, /* ids, names, spelling, order */
    TW_SEVERITY_CALL = 2,   /* a call, a result or a tool */
    TW_SEVERITY_CONTENT = 3 /* text that a person or a model wrote */
} tw_severity;

enum {
#define TW_LOSS_NUMBER(symbol, number, kind, severity, name, text)             \
    TW_LOSS_##symbol = number,
    TW_LOSSES(TW_LOSS_NUMBER)
#undef TW_LOSS_NUMBER
};

typedef struct tw_loss {
    uint32_t code;
    uint32_t kind;     /* tw_report_kind */
    uint32_t severity; /* tw_severity */
    const char *name;  /* "call_id" */
    const char *text;  /* one sentence */
} tw_loss;

/* By code, by name, or the i-th from 0; constant, NULL if there is none. */
TW_API const tw_loss *tw_loss_get(uint32_t code);
TW_API const tw_loss *tw_loss_find(const char *name);
TW_API const tw_loss *tw_loss_at(size_t i);

/* Whether what a request or a record loses is an error. */
typedef enum tw_loss_policy {
    TW_LOSS_POLICY_REPORT = 0, /* it is reported */
    TW_LOSS_POLICY_REFUSE = 1, /* TW_ERROR_LOSS for the first loss of content or
                                  of a call; details are reported */
    TW_LOSS_POLICY_IGNORE = 2  /* nothing is reported */
} tw_loss_policy;

/* Whether complete calls are compared with the schemas that tools declare: the
 * keywords of JSON Schema's draft 2020-12 that validate or apply schemas, the
 * unevaluated ones too, and references inside.  Faults are diagnostics in front
 * of the call's end, at most 32 for a call.  |index| is the call's, |offset| is
 * where it begins, and |id| is the path of the value in its arguments.
 * `schema_unread`, `schema_broken` and `schema_limit` say once in a message
 * what is not checked and why; |id| is the path of that part of the tools.
 * Without tools nothing is checked: `unchecked_call`.  No argument is changed
 * but by TW_VALIDATE_MEND.
 * Converters check the calls of conversations against tw_converter_set_tools()
 * or else the record's own tools, and |id| is the path in the conversation. */
typedef enum tw_validate {
    TW_VALIDATE_NO = 0,
    TW_VALIDATE_REPORT = 1,
    TW_VALIDATE_REFUSE = 2, /* a call that does not fit, that could not be
                              checked to its end, or whose tool the
                              declared ones do not have (`undeclared_tool`), is
                              TW_ERROR_DEVIATION in the place of its last
                              brace, with |detail| and |path|; what is unread,
                              or unknown and not forbidden, is reported */
    TW_VALIDATE_MEND = 3    /* a value that does not fit and has exactly one
                              reading of another type that says the same and
                              fits is given as that reading, and
                              `parameter_mended` says where: the JSON of a text
                              ("5", "[1]", "null", "True" as Python has it),
                              the digits of a number as a text, a list of one
                              value.  No value changes twice, and a call that
                              fits does not change at all.  The rest is
                              reported.  Values that may change are held until
                              they end; all else streams */
} tw_validate;

/* ---- Events ------------------------------------------------------------ */

typedef enum tw_event_type {
    /* A piece of what the user sees, or of the reasoning.  |data| holds whole,
     * well-formed UTF-8 code points.  |index| is the segment's number: a new
     * number begins a new segment.  A reader joins segments of one kind with
     * a line feed, as tw_writer does. */
    TW_EVENT_TEXT = 1,
    TW_EVENT_REASONING = 2,
    /* A call.  |index| counts from 0, and counts calls of this turn that stand
     * in the prompt, too.  |data| is the whole name.  |id| is the call's id,
     * from the wire or made by the library; TW_OPTION_FIRST_CALL changes the
     * numbers of made ids only. */
    TW_EVENT_CALL_BEGIN = 3,
    /* A piece of its arguments: JSON text, or free text (TW_EVENT_CUSTOM).
     * Append-only.  The brace that closes the arguments comes only together
     * with a TW_EVENT_CALL_END of status complete. */
    TW_EVENT_CALL_ARGUMENTS = 4,
    /* |code| is a tw_call_status. */
    TW_EVENT_CALL_END = 5,
    /* A block that is no usable call.  |code| is the diagnostic that says why.
     * |index| is the call's if one had begun, else TW_NO_INDEX.  |id| is the
     * call's name if it is known.  With TW_OPTION_KEEP_RAW |data| is the block
     * as it was on the wire (any bytes), unless the block is longer than the
     * arguments limit. */
    TW_EVENT_UNPARSED = 6,
    /* |code| is a diagnostic, |data| its name.  With TW_EVENT_DROPPED the
     * span was dropped.  Of `foreign_marker` |id| is the format's name; of
     * diagnostics of schemas, see tw_validate.  `foreign_marker` and
     * `orphan_reasoning_close` come at the end of the message, each once. */
    TW_EVENT_DIAGNOSTIC = 7,
    /* Markers and framing blanks; only with TW_OPTION_FRAMING. */
    TW_EVENT_FRAMING = 8,
    /* The last one: |code| is what tw_decoder_finish() was given, |offset|
     * the size of the input. */
    TW_EVENT_END = 9
} tw_event_type;

typedef enum tw_call_status {
    TW_CALL_COMPLETE = 1,
    TW_CALL_INCOMPLETE = 2, /* the output ended inside it */
    TW_CALL_MALFORMED = 3   /* beyond the repairs that are safe */
} tw_call_status;

enum {
    TW_EVENT_CUSTOM = 1,  /* CALL_BEGIN: the model wrote free text, not JSON */
    TW_EVENT_DROPPED = 2, /* DIAGNOSTIC: |span| bytes were dropped */
    TW_EVENT_WARNING = 4  /* DIAGNOSTIC: not a deviation */
};

#define TW_NO_INDEX UINT32_MAX

/* |offset| is where the event's first byte stands in the input.  |span| is
 * how many bytes of the input the event accounts for.  With TW_OPTION_FRAMING
 * the spans of a message that are not 0 have no gap and no overlap, in order,
 * and their sum is the offset of TW_EVENT_END.  A call's CALL_END (complete)
 * or UNPARSED accounts for all bytes of the call, and the call's events before
 * it have span 0.  Fields may be added at the end. */
typedef struct tw_event {
    uint32_t type; /* tw_event_type */
    uint32_t index;
    uint32_t code;
    uint32_t flags;
    const char *data;
    size_t size;
    const char *id;
    size_t id_size;
    uint64_t offset;
    uint64_t span;
} tw_event;

/* ---- Options ----------------------------------------------------------- */

typedef enum tw_option {
    /* For decoders. */
    TW_OPTION_STRICT = 1,             /* 0; 1: the first deviation is
                                         TW_ERROR_DEVIATION, loose heads are
                                         text */
    TW_OPTION_START_REASONING = 2,    /* 0; 1: the prompt ended inside
                                         reasoning; TW_START_FIND */
    TW_OPTION_CALLS_IN_REASONING = 3, /* 1; 0: a call in open reasoning is
                                         always reasoning */
    TW_OPTION_RECOVER_STRIPPED = 4,   /* 0; 1: Harmony only: read output whose
                                         markers were stripped */
    TW_OPTION_KEEP_RAW = 5,           /* 0; 1: UNPARSED events have data */
    TW_OPTION_FRAMING = 6,            /* 0; 1: FRAMING events */
    TW_OPTION_FIRST_CALL = 7,         /* 0: number of the first made-up id */
    TW_OPTION_UNTYPED = 8,            /* TW_UNTYPED_STRING: what a value
                                         between tags is where no declared
                                         tool says its type */
    TW_OPTION_VALIDATE = 9,           /* TW_VALIDATE_NO: whether calls are
                                         compared with their tool's schema */
    TW_OPTION_LIMIT_DEPTH = 10,       /* 128, at most 10000 */
    TW_OPTION_LIMIT_NAME = 11,        /* 256 bytes, at most 1000 */
    TW_OPTION_LIMIT_ARGUMENTS = 12,   /* 16 MiB of JSON text */
    TW_OPTION_LIMIT_CALLS = 13,       /* 1024, at most 2^32 - 2 */
    TW_OPTION_LIMIT_INPUT = 14,       /* 0: none; bytes in one message */
    /* For writers. */
    TW_OPTION_HOLD_CALLS = 30,      /* 0; 1: a call is sent when complete */
    TW_OPTION_CUSTOM_FUNCTION = 31, /* message 0, streams 1: a custom call is
                                       written as a function call with
                                       {"input":"..."}; Anthropic has no
                                       other */
    TW_OPTION_CREATED = 32,         /* 0: chunks, "created"; responses,
                                       "created_at" */
    TW_OPTION_CHOICE = 33,          /* 0, at most 2^31 - 1: chunks,
                                       choices[].index */
    TW_OPTION_JOIN_CHUNKS = 34,     /* 0; 1: streams, adjacent deltas of one
                                       kind are one chunk until a line is
                                       taken; take lines when the decoder is
                                       drained */
    TW_OPTION_SSE = 35,             /* 0; 1: streams, lines are server-sent
                                       events, with `event:` where the API has
                                       it, a blank line behind each, and
                                       chunks end with [DONE]; 2: chunks
                                       without it, for one of several choices */
    TW_OPTION_REASONING_SUMMARY = 36, /* 0; 1: responses, reasoning is a
                                         summary, which more clients show */
    /* For encoders. */
    TW_OPTION_GENERATION_PROMPT = 50, /* as the request says; 0, 1: whether
                                         the prompt ends with the head of
                                         the assistant's turn */
    TW_OPTION_CONTROL_TEXT = 51,      /* TW_CONTROL_TEXT_REJECT */
    TW_OPTION_PYTHON_NUMBERS = 52,    /* 0; 1: numbers as the template writes
                                         them when Python has read them
                                         (1e3 as 1000.0) */
    TW_OPTION_LOSS = 53,              /* TW_LOSS_POLICY_REPORT */
    /* What spans say is sampled, for trainers. */
    TW_OPTION_SAMPLED_LAST = 54,         /* 0; 1: the last turn alone */
    TW_OPTION_SAMPLED_NO_REASONING = 55, /* 0; 1: all but reasoning */
    TW_OPTION_SAMPLED_BY_WEIGHT = 56,    /* 0; 1: no message whose "weight" is
                                            0 or false */
    TW_OPTION_IDS = 57,               /* TW_IDS_KEEP; converters, too */
    /* For converters between formats and record shapes. */
    TW_OPTION_UNIT_COMPLETION = 70, /* 0: a wire record is a transcript; 1: it
                                       is what the model wrote last */
    TW_OPTION_ARGUMENTS_OBJECT = 71 /* 0; 1: to "openai", arguments are
                                       objects, not strings */
} tw_option;

/* The ids of calls, each the same at its call and at its result.  What is made
 * depends on the conversation alone, and `id_replaced` says where.  Mistral's
 * formats hold nine letters and digits, Kimi K2's are `functions.NAME:N`,
 * "anthropic" holds ^[a-zA-Z0-9_-]{1,64}$; other targets hold all. */
typedef enum tw_ids_policy {
    TW_IDS_KEEP = 0, /* what the target cannot hold is TW_ERROR_CANNOT_CARRY */
    TW_IDS_MAP = 1,  /* what it cannot hold, and what repeats in the
                        conversation, gets another */
    TW_IDS_MAKE = 2  /* all get others */
} tw_ids_policy;

/* What TW_OPTION_START_REASONING may say of converters, whose texts are whole:
 * a text begins inside reasoning if all heads of the format's turns end there,
 * or if the text closes reasoning that nothing opened.  A prompt that a record
 * has says more.  Decoders refuse it. */
enum { TW_START_FIND = 2 };

typedef enum tw_untyped {
    TW_UNTYPED_STRING = 0,
    TW_UNTYPED_JSON = 1 /* JSON where the whole value is some, else a string */
} tw_untyped;

typedef enum tw_text {
    TW_TEXT_CALL_ID_PREFIX = 1, /* decoders: "call_" */
    TW_TEXT_REASONING_KEY = 2,  /* writers: "reasoning_content"; no other
                                   member of a message, such as "content" */
    TW_TEXT_ID = 3,             /* writers, streams: "chatcmpl-0", "resp_0",
                                   "msg_0"; the ids of a response's items are
                                   made of what is behind its "resp_" */
    TW_TEXT_MODEL = 4,          /* writers, streams: "toolwire" */
    /* Converters: where in a record something stands, without NUL.  Dots go
     * into objects and, but for TW_TEXT_FIELD, with a number into lists. */
    TW_TEXT_FIELD = 5,         /* "text": the text */
    TW_TEXT_MESSAGES = 10,     /* "openai": the list of messages */
    TW_TEXT_PROMPT_FIELD = 12, /* from a format, "prompt" if a turn of the
                                  format begins in it: the end of the prompt,
                                  as tw_converter_set_prompt(), which counts
                                  first; "": nowhere */
    TW_TEXT_FINISH_FIELD = 13, /* from a format, "finish_reason": why the text
                                  ended, a word of an API, if
                                  tw_converter_set_finish() did not say it; "":
                                  nowhere */
    TW_TEXT_TOOL_CHOICE = 15,  /* decoders: the request's: "auto", "none" (a
                                  call is the text that the model wrote),
                                  "required" or a tool's name (if there is no
                                  such call: `tool_choice_unmet`) */
    /* Encoders, and converters of transcripts that are read by a template,
     * behind tw_converter_set_template(). */
    TW_TEXT_SETTINGS = 6, /* a JSON object; its members take the place of
                             those in the request's chat_template_kwargs */
    TW_TEXT_NOW = 14,     /* of templates: the time that they show,
                             "2026-11-25T12:00:00"; without it the system's,
                             in UTC */
    TW_TEXT_SYSTEM_FINGERPRINT = 7, /* writers, chunks: a member of each; "":
                                       none */
    /* For one message, and to be set before its END. */
    TW_TEXT_FINISH_REASON = 8,  /* writers, streams: why the output ended, such
                                   as "content_filter", in place of what END
                                   says.  "stop" changes nothing, nor does
                                   "tool_calls" where a call was cut off.  A
                                   word of one API becomes the other's */
    TW_TEXT_STOP_SEQUENCE = 11, /* writers, Anthropic: the client's text at
                                   which the output ended: "stop_sequence" */
    TW_TEXT_USAGE = 9           /* writers, streams: a JSON object.  Chunks: in
                                   one more chunk without choices, behind the
                                   last; with several choices, set it for the
                                   writer that ends last.  Other APIs: in the
                                   last event, under the API's names */
} tw_text;

/* ---- Decoder ----------------------------------------------------------- */

typedef struct tw_decoder tw_decoder;

/* What the caller knows of fed bytes.  A caller who marks bytes sees special
 * tokens, and so no marker was stripped.  From the first byte on that is not
 * UNKNOWN, a call whose opening marker is missing (`call:NAME{` of Gemma, a
 * Harmony header without markers, a Hermes object without its tag) is text,
 * also where that byte stands in its head.  TW_OPTION_RECOVER_STRIPPED works
 * all the same. */
typedef enum tw_mark {
    TW_MARK_UNKNOWN = 0, /* text as it is: markers are found in it */
    TW_MARK_TEXT = 1,    /* ordinary tokens: it holds no marker, whatever it
                            looks like.  JSON or DSL inside a call is read as
                            usual. */
    TW_MARK_CONTROL = 2  /* exactly one whole marker of the format */
} tw_mark;

typedef enum tw_finish {
    TW_FINISH_UNKNOWN = 0, /* nobody says why: as STOP, but arguments that are
                              open may be cut, and are not closed */
    TW_FINISH_STOP = 1,    /* the model stopped by itself: a stop marker that
                              was stripped counts as if it stood there */
    TW_FINISH_LENGTH = 2   /* a token limit stopped it: a call that is open is
                              incomplete */
} tw_finish;

/* A decoder for completions of |format|.  NULL if |format| is NULL or there is
 * no memory: test what tw_format_find() returned, to tell the two apart.  The
 * allocator is copied. */
TW_API tw_decoder *tw_decoder_new(const tw_format *format,
                                  const tw_allocator *allocator);
/* Sets an option, which resets keep.
 * ARGUMENT: not an option of decoders, or a value out of its range;
 * STATE: since the last reset a prompt was given or bytes were fed; the
 * error's message says which. */
TW_API int tw_decoder_set(tw_decoder *decoder, tw_option option,
                          int64_t value);
/* Sets TW_TEXT_CALL_ID_PREFIX or TW_TEXT_TOOL_CHOICE, which resets keep;
 * copied.  ARGUMENT, STATE, MEMORY. */
TW_API int tw_decoder_set_text(tw_decoder *decoder, tw_text text,
                               const char *data, size_t size);
/* The tools that were declared: a JSON array of tools of OpenAI or MCP, of
 * functions or of names, or what holds one as its `tools`: MCP's answer to
 * tools/list, a request.  They are copied, and resets keep them; NULL, 0
 * forgets them.
 * A call to another tool is delivered all the same, with `undeclared_tool`.
 * Harmony also uses the list to tell where a name ends, and formats that write
 * arguments between tags take the types of values from the schemas.
 * JSON: the error's offset is in |json|; SCHEMA: its path is "tools", or
 * "tools[0]" and so on; MEMORY, STATE.  After an error no tools are
 * declared. */
TW_API int tw_decoder_set_tools(tw_decoder *decoder, const char *json,
                                size_t size);
/* The last bytes of the prompt, from its last turn's head on or more.  They
 * tell whether the completion starts inside reasoning, a header or a forced
 * call, which is delivered with what the prompt has of its arguments.  The
 * tail holds for the current message only, offsets count from the completion,
 * and the last 64 KiB of |tail| count.  If they end in no turn of the model's,
 * they tell nothing, and `no_generation_prompt` warns of that.
 * STATE: bytes were fed or another tail was given, the error's message says
 * which; MEMORY. */
TW_API int tw_decoder_set_prompt(tw_decoder *decoder, const char *tail,
                                 size_t size);
/* Takes the next bytes of the output, cut anywhere; there may be none.
 * STATE: tw_decoder_next() has not yet returned 0 for the bytes before, or
 *   tw_decoder_finish() was called.
 * ARGUMENT: TW_MARK_CONTROL and not exactly one marker.
 * The error that sticks, once tw_decoder_next() has told it: bytes that pass a
 *   limit are taken here, and LIMIT comes behind the events in front of it. */
TW_API int tw_decoder_feed(tw_decoder *decoder, const char *data, size_t size,
                           tw_mark mark);
/* Says that the output is over.  tw_decoder_next() then gives the last events,
 * and TW_EVENT_END behind them all.
 * STATE: as tw_decoder_feed(); ARGUMENT: no such tw_finish. */
TW_API int tw_decoder_finish(tw_decoder *decoder, tw_finish finish);
/* 1: *event is the next event; 0: there is none until more is fed;
 * negative: the error that sticks (MEMORY, LIMIT, DEVIATION). */
TW_API int tw_decoder_next(tw_decoder *decoder, const tw_event **event);
/* For the next message; options, tools and memory stay. */
TW_API void tw_decoder_reset(tw_decoder *decoder);
/* NULL is allowed. */
TW_API void tw_decoder_free(tw_decoder *decoder);
/* The last error, never NULL; lives as long as the decoder. */
TW_API const tw_error *tw_decoder_error(const tw_decoder *decoder);

/* What a model is told of its calls that cannot be run, for an agent to give
 * back.  |message| is an OpenAI message or chat completion, with or without
 * the member `toolwire` of TW_SHAPE_MESSAGE: each of its calls is compared
 * with its tool's schema in |tools| (as tw_decoder_set_tools(); NULL: with
 * none), and each block that could not be read is looked at.  The text says in
 * one paragraph what was wrong, where, and what was expected.  Calls that can
 * be run are not spoken of.
 * Writes to |text| where all fits into |room|; *text_size is the size of all
 * in any case, without a NUL: ask with room 0 first.  TW_OK; JSON; SCHEMA: no
 * message, or no tools; MEMORY; ARGUMENT. */
typedef enum tw_words_form {
    TW_WORDS_TEXT = 0,    /* a line for each call */
    TW_WORDS_MESSAGES = 1 /* a JSON list of OpenAI messages: a tool's with the
                             `tool_call_id`; of blocks, a user's */
} tw_words_form;
TW_API int tw_words_for_model(const char *message, size_t size,
                              const char *tools, size_t tools_size,
                              tw_words_form form,
                              const tw_allocator *allocator, char *text,
                              size_t room, size_t *text_size);

/* ---- Writer ------------------------------------------------------------ */

/* A writer makes JSON of events, one line each; a stream's lines come as the
 * events do.  In each API the joined deltas are the content, the reasoning and
 * a call's arguments.  A call that was cut off is never closed.  Only
 * TW_OPTION_HOLD_CALLS can promise that no client runs such a call. */
typedef enum tw_shape {
    TW_SHAPE_MESSAGE = 1,   /* one OpenAI assistant message, at the end */
    TW_SHAPE_CHUNKS = 2,    /* Chat Completions: chat.completion.chunk */
    TW_SHAPE_RESPONSES = 3, /* OpenAI Responses, to response.completed */
    TW_SHAPE_ANTHROPIC = 4  /* Anthropic Messages, to message_stop */
} tw_shape;

typedef struct tw_writer tw_writer;

/* NULL if there is no such shape or no memory. */
TW_API tw_writer *tw_writer_new(tw_shape shape, const tw_allocator *allocator);
/* Sets an option before the first event; resets keep it.  ARGUMENT: no option
 * of this shape, or a value out of its range; STATE. */
TW_API int tw_writer_set(tw_writer *writer, tw_option option, int64_t value);
/* Sets a text likewise, and copies it.  TW_TEXT_FINISH_REASON and
 * TW_TEXT_USAGE may be set until the END was given; tw_writer_reset() and
 * NULL, 0 forget them.  ARGUMENT, STATE, MEMORY; JSON: no object. */
TW_API int tw_writer_set_text(tw_writer *writer, tw_text text,
                              const char *data, size_t size);
/* Takes the next event of the decoder, and copies what is needed of the event.
 * Lines may be ready then.  Reset the writer whenever you reset the decoder.
 * MEMORY sticks until reset or tw_writer_fail(); ARGUMENT: no event; STATE,
 * until reset: the END was given, or the event cannot follow those before (an
 * offset, a segment's or a call's index goes back, or no such call is open).
 * Such an event is of another message, and two messages are never joined. */
TW_API int tw_writer_event(tw_writer *writer, const tw_event *event);
/* Breaks the stream off with the API's error event and the error's message, for
 * when the decoder failed, or what feeds it (any |code|).  After a MEMORY error
 * of the writer it goes on behind the lines that are ready: do not reset it.
 * MEMORY: try again when there is some; ARGUMENT: a TW_SHAPE_MESSAGE; STATE:
 * the END or an error was given before. */
TW_API int tw_writer_fail(tw_writer *writer, const tw_error *error);
/* 1: *line (without a line feed; lives until the next call on the writer);
 * 0: none is ready. */
TW_API int tw_writer_take(tw_writer *writer, const char **line, size_t *size);
/* What the last call that failed was refused for, in words; never NULL, lives
 * as long as the writer.  NULL, a writer that is not there: no memory. */
TW_API const tw_error *tw_writer_error(const tw_writer *writer);
/* For the next message; options stay, and texts that are not for one. */
TW_API void tw_writer_reset(tw_writer *writer);
/* NULL is allowed. */
TW_API void tw_writer_free(tw_writer *writer);

/* ---- Encoder ----------------------------------------------------------- */

/* An encoder takes a request and gives the exact text that the dialect's
 * template makes of the request, in segments.  Where the template is broken
 * (it fails on `content: null`, or splices a name into JSON unescaped), the
 * encoder writes the undamaged form and reports that.  What the wire cannot
 * carry is reported, too.
 *
 * No marker is forged.  Text of the request may be a marker of the format,
 * alone or joined with what stands beside it.  Inside JSON such text is
 * escaped (a JSON escape for its first code point); elsewhere
 * TW_OPTION_CONTROL_TEXT says what becomes of it. */
typedef enum tw_control_text {
    TW_CONTROL_TEXT_REJECT = 0, /* TW_ERROR_CONTROL_TEXT */
    TW_CONTROL_TEXT_ALLOW = 1,  /* the template's unsafe bytes, also in JSON */
    TW_CONTROL_TEXT_BREAK = 2   /* U+200B behind its first character, told */
} tw_control_text;

/* A segment is one marker of the template, or all text up to the next marker,
 * words of the template and data together.  If you make tokens of each text
 * without special tokens, you get the tokens of the whole prompt. */
typedef struct tw_segment {
    uint32_t control; /* 1: a marker */
    const char *data;
    size_t size;
} tw_segment;

typedef struct tw_encoder tw_encoder;

/* NULL if the format is NULL or there is no memory. */
TW_API tw_encoder *tw_encoder_new(const tw_format *format,
                                  const tw_allocator *allocator);

/* A model's chat template: Jinja as Hugging Face's transformers runs it
 * (docs/templates.md).  Constant once loaded: several threads may use it. */
typedef struct tw_template tw_template;

/* What a template is loaded from; all texts are the caller's, and are no
 * longer needed after the call. */
typedef struct tw_template_source {
    const char *text; /* the template, or JSON whose `chat_template` it is;
                         NULL: |config| has it */
    size_t size;
    const char *config; /* tokenizer_config.json, for its special tokens; NULL:
                           none, or |text| is it */
    size_t config_size;
    const char *name; /* of several templates; NULL: "default" */
} tw_template_source;

/* Compiles a template, and finds what it takes: arguments as objects or as
 * text, contents as texts or as parts, under which name it reads reasoning.
 * TEMPLATE: it is none (|error|, or NULL, says line and column); JSON, SCHEMA:
 * of a configuration; MEMORY; ARGUMENT.  Then *template_ is NULL. */
TW_API int tw_template_load(const tw_template_source *source,
                            const tw_allocator *allocator,
                            tw_template **template_, tw_format_error *error);
/* After all encoders that use it.  NULL is allowed. */
TW_API void tw_template_free(tw_template *template_);
/* The format in which a template writes a model's turns. */
typedef struct tw_detection tw_detection;
/* Renders small conversations with calls, and lets each format that is built
 * in read back what stands behind the generation prompt (docs/templates.md).
 * Takes some hundredths of a second.  NULL: no template, no memory. */
TW_API tw_detection *tw_template_detect(const tw_template *template_,
                                        const tw_allocator *allocator);
/* The format that reads most of it and writes it alike, constant; NULL: none
 * reads a call and a text. */
TW_API const tw_format *tw_detection_format(const tw_detection *detection);
/* 1: the prompt ends inside reasoning: TW_OPTION_START_REASONING. */
TW_API int tw_detection_starts_in_reasoning(const tw_detection *detection);
/* The i-th setting, such as "enable_thinking=false", that changes that. */
TW_API const char *tw_detection_otherwise(const tw_detection *detection,
                                          size_t i);
/* The i-th other format that reads a call and a text, from 0, or NULL. */
TW_API const tw_format *tw_detection_other(const tw_detection *detection,
                                           size_t i);
/* Without a format: a draft of a description for tw_format_load(), made from
 * the differences between what the template writes, all of which it reads; or
 * NULL.  Its author is to look at it.  It lives as long as the detection. */
TW_API const char *tw_detection_draft(const tw_detection *detection,
                                      size_t *size);
/* {"format", "start", "evidence", "other"}, and "otherwise" and "draft" if
 * there are some; it lives as long as the detection. */
TW_API const char *tw_detection_json(const tw_detection *detection,
                                     size_t *size);
/* NULL is allowed. */
TW_API void tw_detection_free(tw_detection *detection);
/* An encoder of any request that the template takes; what the template itself
 * refuses is TEMPLATE, with its message.  Markers are those of the format
 * (or NULL) and the special tokens of the template's configuration or, with
 * neither, what looks like a token in the template.  Bounded: LIMIT is a
 * request that takes more than 50 million steps or 256 MiB. */
TW_API tw_encoder *tw_encoder_new_template(const tw_template *template_,
                                           const tw_format *format,
                                           const tw_allocator *allocator);
/* Sets an option, which requests keep.  ARGUMENT. */
TW_API int tw_encoder_set(tw_encoder *encoder, tw_option option,
                          int64_t value);
/* Sets a text likewise, and copies it.  ARGUMENT, JSON (no object), MEMORY. */
TW_API int tw_encoder_set_text(tw_encoder *encoder, tw_text text,
                               const char *data, size_t size);
/* Takes one OpenAI request: {"messages", "tools", "add_generation_prompt",
 * "chat_template_kwargs", "reasoning_effort"}.  All of it is read and checked
 * before the first segment, and replaces the request before; |json| is no
 * longer needed.  What else says something to the model is reported.
 * JSON, SCHEMA, CONTROL_TEXT, CANNOT_CARRY (with the path and the offset in
 * the string there; for JSON, in the request), MEMORY: there are no
 * segments, and the encoder takes the next request.  A format without prompts
 * (tw_format_has_prompts()) takes one message, an assistant's, and writes its
 * completion; any other request is CANNOT_CARRY. */
TW_API int tw_encoder_request(tw_encoder *encoder, const char *json,
                              size_t size);
/* 1: *segment (both live until the next request); 0: that was all. */
TW_API int tw_encoder_next(tw_encoder *encoder, const tw_segment **segment);
/* The i-th report of the last request, from 0; returns 0 behind the last.
 * |detail| is a code of TW_LOSSES, |path| is the value's, and |message| says
 * what is written of it.  The report lives until the next call. */
TW_API int tw_encoder_report(tw_encoder *encoder, size_t i,
                             const tw_error **report);
/* Whose bytes [start, end) of a template's prompt are (docs/templates.md). */
typedef struct tw_span {
    uint64_t start;
    uint64_t end;
    int64_t message;  /* its number from 0; -1: none's */
    const char *part; /* "head", "text", ...: it lives on */
    uint32_t sampled; /* 1: the model would have written them */
} tw_span;
/* The i-th span of the last request, in order and without a gap, as reports.
 * ARGUMENT (no template writes the prompt), LIMIT, MEMORY. */
TW_API int tw_encoder_span(tw_encoder *encoder, size_t i,
                           const tw_span **span);
/* What to append to a prompt behind a turn of the model's: *append lives until
 * the next call on the encoder, and tw_encoder_next() and _report() are of it.
 * |json| is {"prompt", "completion", "messages", "new"} with "tools" and all
 * else that tw_encoder_request() takes.  "prompt" (which may be left out) was
 * made for the messages without the last, an assistant's, which is what
 * "completion" says as it was sampled, with or without its stop; "new" follow.
 * Prompt, completion and append together are the prompt of all messages with
 * the generation prompt, if the completion is spelled as the template spells
 * it; behind any other legal completion the same bytes are appended, with the
 * stop if the completion lacks it.  Settings are those of the prompt.
 * Then {"completion", "message", "new"}, with "prompt" if need be, goes on: its
 * "message" is the turn behind all messages of the last record and its new
 * ones.  It costs what is new, on the average of all turns: of the others the
 * encoder keeps the text, and renders those to which the template looks.  What
 * fails changes nothing.
 * UNSTABLE: the template does not go on so; |path| is the message with which
 * it writes what stands before it otherwise, "new[0]" or "messages[3]", or
 * "prompt", which does not end as the template ends it.  The whole conversation
 * must be encoded then.  SCHEMA: the record is none, its message says more than
 * the completion, or nothing has begun that goes on.  CANNOT_CARRY: a format without prompts.  Else as
 * tw_encoder_request(). */
TW_API int tw_encoder_extend(tw_encoder *encoder, const char *json,
                             size_t size, const char **append,
                             size_t *append_size);
/* The last error, never NULL. */
TW_API const tw_error *tw_encoder_error(const tw_encoder *encoder);
/* Forgets the request; options stay. */
TW_API void tw_encoder_reset(tw_encoder *encoder);
/* NULL is allowed. */
TW_API void tw_encoder_free(tw_encoder *encoder);

/* ---- One-shot and records ---------------------------------------------- */

/* Encodes a whole request: *text lives until the next call on the encoder.
 * TW_OK or the error of tw_encoder_request(). */
TW_API int tw_encode(tw_encoder *encoder, const char *json, size_t size,
                     const char **text, size_t *text_size);

/* Decodes a whole output: resets both, sets TW_OPTION_KEEP_RAW, feeds,
 * finishes with TW_FINISH_UNKNOWN and gives the message line, which lives
 * until the next call on |writer|, which must be a TW_SHAPE_MESSAGE.
 * Returns TW_OK, or the decoder's or writer's error and no line.  After the
 * call |text| is no longer needed. */
TW_API int tw_decode_message(tw_decoder *decoder, tw_writer *writer,
                             const char *text, size_t size, const char **line,
                             size_t *line_size);

/* The inverse of tw_decode_message(): what the model would have written for
 * an assistant's message, from behind the head of its turn to the end of the
 * turn.  All else is as in tw_encode(). */
TW_API int tw_encode_completion(tw_encoder *encoder, const char *json,
                                size_t size, const char **text,
                                size_t *text_size);

/* A shape of JSON records: how logs and clients hold conversations. */
typedef struct tw_record_shape tw_record_shape;
/* The shape of this name: "openai", "anthropic", ...; NULL: there is none. */
TW_API const tw_record_shape *tw_record_shape_find(const char *name);
/* The i-th shape, from 0; NULL behind the last. */
TW_API const tw_record_shape *tw_record_shape_at(size_t i);
/* The shape's name, and one line on what it reads and writes, constant. */
TW_API const char *tw_record_shape_name(const tw_record_shape *shape);
TW_API const char *tw_record_shape_about(const tw_record_shape *shape);
/* What is special about it, a sum of these. */
enum {
    TW_RECORD_READ_ONLY = 1, /* no converter writes it */
    TW_RECORD_FILE = 2       /* a record is a whole file: all lines of a
                                session, which tw_converter_record() takes as
                                one text */
};
TW_API int tw_record_shape_traits(const tw_record_shape *shape);
/* Is a file that begins with these bytes, at least its first line, one record
 * of the shape, and no list of them, a line each?  1 or 0; of "auto", if it is
 * a session or a trajectory that is broken into lines. */
TW_API int tw_record_is_file(const tw_record_shape *shape, const char *begin,
                             size_t size);

/* One end of a converter: the name of a format ("hermes/qwen3") or of a
 * record shape ("openai": a conversation), "message" (one OpenAI assistant
 * message) or "report" (the deviations found, as the command's `check` counts
 * them).  "auto" is read only: each record's members tell its shape.  Where a
 * format and a shape have one name, it means the shape.  Only a format can be
 * converted to "message" or "report": there the name means the format. */
typedef const char *tw_endpoint;

typedef struct tw_converter tw_converter;

/* Converts from a format to "message" or "report", or between any two formats
 * and shapes.  NULL: an end is neither a format nor one of the shapes above;
 * |from| is "message" or "report", or |to| is one and |from| is no format;
 * there is no memory. */
TW_API tw_converter *tw_converter_new(tw_endpoint from, tw_endpoint to,
                                      const tw_allocator *allocator);
/* tw_converter_new(), where a format that is not NULL takes the place of the
 * name beside it. */
TW_API tw_converter *tw_converter_between(const tw_format *from_format,
                                          tw_endpoint from,
                                          const tw_format *to_format,
                                          tw_endpoint to,
                                          const tw_allocator *allocator);
/* Options of its decoder, its writer and its encoder, and its own.
 * ARGUMENT, STATE. */
TW_API int tw_converter_set(tw_converter *converter, tw_option option,
                            int64_t value);
/* Texts of both, and TW_TEXT_FIELD.  ARGUMENT, MEMORY. */
TW_API int tw_converter_set_text(tw_converter *converter, tw_text text,
                                 const char *data, size_t size);
/* Says that assistants' text in records of a shape is what a model wrote in
 * this format, which must outlive the converter.  Calls and reasoning are read
 * from the text, results from the format's frame, and tools from a system's
 * text where the record declares none.  Text of users, and of assistants with
 * calls beside it, is only text.  To "sharegpt" such text is also written; if
 * the other end is another shape or a format, it is only written.  Set the
 * wire once and before options, which are then its decoder's and encoder's,
 * too.  Offsets of diagnostics are in that text.
 * ARGUMENT: neither end has such text, or a wire was set.  MEMORY. */
TW_API int tw_converter_set_wire(tw_converter *converter,
                                 const tw_format *wire);
/* Says that transcripts are what this template writes, which must outlive the
 * converter: their turns are learned from small conversations that the
 * template renders, with the tools of tw_converter_set_tools(), of the record
 * or, if they are JSON, of the text.  Each conversation that was read is
 * rendered again: where the texts differ, but for what the model wrote itself,
 * the record is refused (CANNOT_CARRY), with the first byte that differs.  The
 * converter's format reads what the model wrote; NULL: its own prompts.  What
 * the prompts show beside their request, a switch or the time, is set behind
 * this: TW_TEXT_SETTINGS, TW_TEXT_NOW.
 * ARGUMENT: not from transcripts of a format. */
TW_API int tw_converter_set_template(tw_converter *converter,
                                     const tw_template *template_);
/* As tw_decoder_set_tools() (where nothing is decoded, for TW_OPTION_VALIDATE
 * alone), _set_prompt() (for every record) and _finish(). */
TW_API int tw_converter_set_tools(tw_converter *converter, const char *json,
                                  size_t size);
TW_API int tw_converter_set_prompt(tw_converter *converter, const char *tail,
                                   size_t size);
TW_API int tw_converter_set_finish(tw_converter *converter, tw_finish how);
/* Feeds |size| bytes at a time, as a stream would; 0, the default: all. */
TW_API int tw_converter_set_chunk(tw_converter *converter, size_t size);
/* Reads a whole conversation from wire text: {"messages":[...],"tools":[...]},
 * which lives until the next call.  The converter must be from a format to
 * "openai".  What the wire does not hold (ids, parts of schemas) is not there.
 * ARGUMENT, CANNOT_CARRY (no prompts), and as tw_converter_record(). */
TW_API int tw_decode_transcript(tw_converter *converter, const char *text,
                                size_t size, const char **json,
                                size_t *json_size);
/* Converts one JSON record into one, which lives until the next call.  A
 * record of a format is a JSON string, or an object with the text in its
 * TW_TEXT_FIELD; other members of a record pass through.  With
 * TW_OPTION_UNIT_COMPLETION the message is the last of the record's own
 * "messages".
 * JSON, SCHEMA, DEVIATION, LIMIT, MEMORY: nothing is given, and the converter
 * is ready for the next record. */
TW_API int tw_converter_record(tw_converter *converter, const char *record,
                               size_t size, const char **out,
                               size_t *out_size);
/* tw_converter_record() of a text that is not wrapped in JSON. */
TW_API int tw_converter_text(tw_converter *converter, const char *text,
                             size_t size, const char **out, size_t *out_size);
/* The shape that the last record was read as; NULL: none. */
TW_API const char *tw_converter_shape(const tw_converter *converter);
/* What tells the last record, for an error in its place: its members `id`,
 * `uuid` and those that end in `_id`, and as `request_error` the error that it
 * is about, as JSON without braces.  It lives until the next.  ARGUMENT,
 * MEMORY. */
TW_API int tw_converter_identity(tw_converter *converter, const char **json,
                                 size_t *size);
/* How many blocks the last record lists as unparsed. */
TW_API size_t tw_converter_unparsed(const tw_converter *converter);
/* The i-th diagnostic of the last record, from 0; returns 0 behind the last.
 * Of one code so many are kept, in messages, too, which count the rest in
 * `toolwire.more_diagnostics`. */
#define TW_DIAGNOSTICS_KEPT 1000
TW_API int tw_converter_diagnostic(const tw_converter *converter, size_t i,
                                   uint32_t *code, uint64_t *offset);
/* How many diagnostics of this code the last record has. */
TW_API uint64_t tw_converter_diagnostic_count(const tw_converter *converter,
                                              uint32_t code);
/* Which format the i-th diagnostic means (`foreign_marker`), or which path (of
 * schemas, see tw_validate); the text lives until the next record.  NULL: the
 * diagnostic means neither. */
TW_API const char *
tw_converter_diagnostic_format(const tw_converter *converter, size_t i);
/* The i-th report of the last record, as tw_encoder_report() gives them; 0
 * behind the last.  If a record shape was read, the path is in that record. */
TW_API int tw_converter_report(tw_converter *converter, size_t i,
                               const tw_error **report);
/* The last error, never NULL.  For JSON, SCHEMA the offset is in the record,
 * else in its text. */
TW_API const tw_error *tw_converter_error(const tw_converter *converter);
/* NULL is allowed. */
TW_API void tw_converter_free(tw_converter *converter);

/* ---- Grammars ---------------------------------------------------------- */

/* Who holds a model to the grammar (docs/grammars.md). */
typedef enum tw_grammar_target {
    TW_GRAMMAR_LARK,          /* llguidance */
    TW_GRAMMAR_GBNF,          /* llama.cpp; XGrammar, as EBNF */
    TW_GRAMMAR_STRUCTURAL_TAG /* vLLM, SGLang and XGrammar: JSON */
} tw_grammar_target;

/* Where the model goes on. */
typedef enum tw_grammar_start {
    TW_GRAMMAR_ANYWHERE,  /* as the format's own prompts end */
    TW_GRAMMAR_REASONING, /* the prompt has opened reasoning */
    TW_GRAMMAR_TEXT       /* it has not, or has closed it */
} tw_grammar_start;

typedef struct tw_grammar_options {
    tw_grammar_target target;
    tw_grammar_start start;
    const char *choice; /* "auto" (or NULL), "required", "none", or the name of
                           the tool to be called */
    int parallel;       /* 1: there may be several calls; 0: one at most */
    int wider;          /* 1: what the target cannot say is left out, and told
                           in a comment at its place; 0: it is an error */
    /* Markers of which the vocabulary has one token each, to be named by
     * number: JSON of a tokenizer.json, a tokenizer_config.json, or {text:
     * number}; NULL: none.  Not for structural tags, which name tokens by
     * their text. */
    const char *special_tokens;
    size_t special_size;
} tw_grammar_options;

/* A grammar is all that a model may write: the canonical side of a format, with
 * calls of declared tools alone, and arguments that follow their schemas. */
typedef struct tw_grammar tw_grammar;

/* Makes one for a JSON array of tools, as tw_decoder_set_tools() takes it.
 * |options| NULL: lark, with several calls.  Time and size grow with the size
 * of |tools|, of which nothing is kept; the allocator is copied.
 * CANNOT_CARRY: no grammar, or none of this target, says it, or nothing fits a
 * schema; the message begins with the path of the keyword ("tools[0]...").
 * JSON (|offset| is in |tools|, or in the special tokens, as the message
 * says); SCHEMA: they are no tools, or no special tokens; ARGUMENT: no tool
 * has the name of |choice|, no such target or start, or special tokens for a
 * target that takes none; LIMIT: a schema is too deep; MEMORY.  Then *grammar
 * is NULL, and |error| (or NULL) says why. */
TW_API int tw_grammar_make(const tw_format *format, const char *tools,
                           size_t size, const tw_grammar_options *options,
                           const tw_allocator *allocator, tw_grammar **grammar,
                           tw_format_error *error);
/* Its text, *size bytes without a NUL, which lives as long as the grammar. */
TW_API const char *tw_grammar_text(const tw_grammar *grammar, size_t *size);
/* NULL is allowed. */
TW_API void tw_grammar_free(tw_grammar *grammar);

#ifdef __cplusplus
}
#endif

#endif
