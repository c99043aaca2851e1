/* SPDX-License-Identifier: MIT
 *
 * What could not be carried over: the list of losses that reports are made
 * of.  Nothing here returns an error: no memory is kept in |failed|.
 */
#ifndef TOOLWIRE_MESSAGES_LOSSES_H
#define TOOLWIRE_MESSAGES_LOSSES_H

#include "json/tree.h"

typedef struct tw_lost {
    uint32_t code; /* of TW_LOSSES */
    const tw_value *where;
    uint64_t offset;        /* in the text of |where| */
    const char *message;    /* what became of it; constant; NULL: as the table
                               says */
    const tw_value *joined; /* the first of the texts of which one was made,
                               |where| among them; or NULL */
} tw_lost;

typedef struct tw_losses {
    const tw_memory *memory;
    tw_buffer list;  /* tw_lost */
    uint32_t policy; /* tw_loss_policy */
    bool failed;     /* there was no memory */
} tw_losses;

static inline size_t tw_losses_count(const tw_losses *losses)
{
    return losses->list.size / sizeof(tw_lost);
}

static inline tw_lost *tw_losses_at(const tw_losses *losses, size_t i)
{
    return (tw_lost *)(void *)losses->list.data + i;
}

void tw_losses_add(tw_losses *losses, uint32_t code, const tw_value *where,
                   uint64_t offset, const char *message);
/* |where| is a text of those of which one was made, |first| the first. */
void tw_losses_add_joined(tw_losses *losses, const tw_value *where,
                          const tw_value *first);
/* Of a value that is gone as a whole that alone is told, and nothing of what
 * is inside. */
void tw_losses_prune(tw_losses *losses);
/* As reports and errors have it; |path| is that of |where|. */
tw_error tw_lost_error(int32_t code, const tw_lost *lost, const char *path);
/* The first loss that the policy refuses; NULL: there is none. */
const tw_lost *tw_losses_refused(const tw_losses *losses);

/* The loss that it is to leave out this member of a message. */
uint32_t tw_loss_of_member(const tw_value *member);

/* Is the member one of |known|, a NULL-ended list?  A name may ask for a kind
 * in front: `"` for a text, `[` a list, `{` an object, `?` true or false. What
 * is of another kind nobody reads. */
bool tw_losses_is_known(const tw_value *member, const char *const *known);
/* Does the value have the kind that the name asks for? */
bool tw_losses_is_asked(const tw_value *value, const char *name);
/* The name behind what it asks for. */
const char *tw_losses_bare_name(const char *name);

/* Reports a member of a message that is left out, unless it is null or empty
 * or one of |known|, a NULL-ended list. */
void tw_losses_add_member(tw_losses *losses, const tw_value *member,
                          const char *const *known);
/* tw_losses_add_member() of each member of |object|. */
void tw_losses_add_members(tw_losses *losses, const tw_value *object,
                           const char *const *known);

#endif
