/* SPDX-License-Identifier: MIT
 *
 * A case is made smaller while what is wrong stays wrong.
 */
#ifndef TOOLWIRE_KIT_SHRINK_H
#define TOOLWIRE_KIT_SHRINK_H

#include "kit/ask/trial.h"

/* Makes |one| smaller as long as its class could have made it and the same
 * is wrong with it in the same way; where it is no answer at all, also byte by
 * byte, and then it means nothing.  |*number| is set to the finding among the
 * trial's, which are those of the smaller case.  False: it did not happen
 * again, and |one| is as it was; look at |failed|, too. */
bool kit_shrink(kit_trial *trial, kit_case *one, const kit_finding *finding,
                size_t *number);

#endif
