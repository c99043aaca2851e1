/* SPDX-License-Identifier: MIT
 *
 * What the two halves of xLAM's shape share.
 */
#ifndef TOOLWIRE_RECORDS_XLAM_H
#define TOOLWIRE_RECORDS_XLAM_H

#include "records/records.h"

/* Are the parameters a schema already?  A parameter may be called `type`, too.
 */
bool tw_xlam_is_schema(const tw_value *parameters);
void tw_xlam_write(tw_recoder *recoder, const tw_conversation *conversation);

#endif
