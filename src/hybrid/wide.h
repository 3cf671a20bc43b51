// SPDX-License-Identifier: Apache-2.0
// Private to the room: integers in which sums and products of 64-bit ones have room.
#pragma once

typedef __int128 wide;

// Toward minus infinity.
static inline wide floor_div(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
