/* SPDX-License-Identifier: MIT
 *
 * What nobody reads of a request: members beside its messages that say
 * something to the model and have no place in a prompt.
 */
#ifndef TOOLWIRE_ENCODE_UNREAD_H
#define TOOLWIRE_ENCODE_UNREAD_H

#include "messages/conversation.h"

/* What says nothing to the model (`model`, `stream`, `temperature`, ...) is no
 * loss, nor are `documents` where the template reads them. */
void tw_report_unread_request(const tw_conversation *conversation,
                              const tw_format *format, bool reads_documents,
                              tw_losses *losses);

#endif
