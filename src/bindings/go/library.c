/* SPDX-License-Identifier: MIT
 *
 * The amalgamation, which `make go` puts beside this file in csrc/.
 */
#include "csrc/toolwire.c"
