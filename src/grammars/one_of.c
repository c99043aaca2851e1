/* SPDX-License-Identifier: MIT
 *
 * Of the schemas of a `oneOf` a value fits one alone.  A choice says that
 * where no value that is written of one fits another.
 */
#include "events/tools.h"
#include "grammars/make.h"

/* How many schemas, and how many names of each, are looked at. */
enum { SCHEMAS_MOST = 32, NAMES_MOST = 64 };

/* The types that a value of the schema has: those that are said, or |if_not|.
 */
static unsigned types_of(tw_grammar_maker *maker, const tw_value *schema,
                         unsigned if_not)
{
    size_t work = TW_KNOWN_WORK;
    const unsigned types = tw_known_types(schema, maker->schema.root, &work);
    const unsigned all = types != 0 ? types : if_not;
    return all | ((all & TW_TYPE_NUMBER) != 0 ? TW_TYPE_INTEGER : 0);
}

/* The values that alone fit, as a list or as |*only|; false: there are others.
 */
static bool constants_of(const tw_value *schema, const tw_value **first,
                         const tw_value **only)
{
    const tw_value *list = tw_keyword_of(schema, "enum");
    const bool listed = tw_value_is_a(list, TW_VALUE_ARRAY);
    *only = tw_keyword_of(schema, "const");
    *first = *only != NULL ? *only : listed ? list->first : NULL;
    return *only != NULL || listed;
}

/* Does none of the schema's constants fit the |other|?  False: it has none. */
static bool constants_miss(tw_grammar_maker *maker, const tw_value *schema,
                           const tw_value *other)
{
    const tw_value *at;
    const tw_value *only;
    const tw_value *root = maker->schema.root;
    bool miss = constants_of(schema, &at, &only);
    while (miss && at != NULL) {
        miss = !tw_schema_check_part(&maker->schema, root, other, at);
        at = only != NULL ? NULL : at->next;
    }
    maker->schema.root = root;
    if (maker->schema.failed) {
        tw_rules_no_memory(&maker->rules);
    }
    return miss;
}

/* ---- objects ------------------------------------------------------------ */

static const tw_value *property_of(const tw_value *schema,
                                   const tw_value *name)
{
    const tw_value *all = tw_keyword_of(schema, "properties");
    return tw_value_is_a(all, TW_VALUE_OBJECT)
               ? tw_value_member_sized(all, name->text, name->size)
               : NULL;
}

static const tw_value *first_required(const tw_value *schema)
{
    const tw_value *list = tw_keyword_of(schema, "required");
    return tw_value_is_a(list, TW_VALUE_ARRAY) ? list->first : NULL;
}

static bool requires(const tw_value *schema, const tw_value *name)
{
    const tw_value *at = first_required(schema);
    for (size_t i = 0; at != NULL && i < NAMES_MOST; i++, at = at->next) {
        if (tw_value_is_same_text(at, name)) {
            return true;
        }
    }
    return false;
}

/* Is the member |name| another constant in each? */
static bool member_differs(tw_grammar_maker *maker, const tw_value *left,
                           const tw_value *right, const tw_value *name)
{
    const tw_value *mine = property_of(left, name);
    const tw_value *its = property_of(right, name);
    return mine != NULL && tw_value_is_a(its, TW_VALUE_OBJECT) &&
           constants_miss(maker, mine, its);
}

/* Does no object that is written of |left| fit |right|: for a member that it
 * never has, has always, or has otherwise? */
static bool objects_miss(tw_grammar_maker *maker, const tw_value *left,
                         const tw_value *right)
{
    const tw_value *others = tw_keyword_of(right, "additionalProperties");
    const tw_value *mine = tw_keyword_of(left, "properties");
    const bool closed =
        tw_value_is_a(mine, TW_VALUE_OBJECT) && mine->first != NULL;
    const tw_value *at = first_required(right);
    for (size_t i = 0; at != NULL && i < NAMES_MOST; i++, at = at->next) {
        if (at->kind == TW_VALUE_STRING &&
            ((closed && property_of(left, at) == NULL &&
              !requires(left, at)) ||
             member_differs(maker, left, right, at))) {
            return true;
        }
    }
    at = first_required(left);
    for (size_t i = 0; at != NULL && i < NAMES_MOST; i++, at = at->next) {
        if (at->kind == TW_VALUE_STRING &&
            ((tw_value_is_a(others, TW_VALUE_FALSE) &&
              property_of(right, at) == NULL) ||
             member_differs(maker, left, right, at))) {
            return true;
        }
    }
    return false;
}

/* ---- schemas ------------------------------------------------------------ */

/* Does no value that is written of |left| fit |right|? */
static bool misses(tw_grammar_maker *maker, const tw_value *left,
                   const tw_value *right)
{
    if (left->kind == TW_VALUE_FALSE || right->kind == TW_VALUE_FALSE) {
        return true;
    }
    if (left->kind != TW_VALUE_OBJECT || right->kind != TW_VALUE_OBJECT) {
        return false;
    }
    const unsigned shared =
        types_of(maker, left, tw_grammar_meant_types(left)) &
        types_of(maker, right, TW_TYPE_JSON);
    return shared == 0 || constants_miss(maker, left, right) ||
           (shared == TW_TYPE_OBJECT && objects_miss(maker, left, right));
}

void tw_grammar_check_one_of(tw_grammar_maker *maker, const tw_value *schema,
                             const tw_value *list, bool tagged)
{
    bool apart = tw_value_length(list) <= SCHEMAS_MOST &&
                 (!tagged || list->first == list->last ||
                  types_of(maker, schema, 0) != 0);
    for (const tw_value *at = list->first; at != NULL && apart;
         at = at->next) {
        const tw_value *left = tw_grammar_resolve(maker, at);
        for (const tw_value *next = at->next; next != NULL && apart;
             next = next->next) {
            const tw_value *right = tw_grammar_resolve(maker, next);
            apart = left != NULL && right != NULL &&
                    misses(maker, left, right) && misses(maker, right, left);
        }
    }
    if (!apart) {
        tw_grammar_cannot(maker, list,
                          "a value may fit more than one of these schemas");
    }
}
