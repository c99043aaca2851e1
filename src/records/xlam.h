/* SPDX-License-Identifier: MIT
 *
 * What the two halves of xLAM's shape share.
 */
#ifndef TOOLWIRE_RECORDS_XLAM_H
#define TOOLWIRE_RECORDS_XLAM_H

#include "records/records.h"

void tw_xlam_write(tw_recoder *, const tw_conversation *);

#endif
