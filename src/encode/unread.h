/* SPDX-License-Identifier: MIT
 *
 * What nobody reads of a request: members beside its messages that say
 * something to the model and have no place in a prompt.
 */
#ifndef TOOLWIRE_ENCODE_UNREAD_H
#define TOOLWIRE_ENCODE_UNREAD_H

#include "messages/conversation.h"

/* |settings|: those that the format reads, NULL-ended; NULL: none.  What says
 * nothing to the model (`model`, `stream`, `temperature`, ...) is no loss. */
void tw_report_unread_request(const tw_conversation *,
                              const char *const *settings, tw_losses *);

#endif
