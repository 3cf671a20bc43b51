#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A group of settings through the grid: run.sh FATHOM GROUP [options of the driver, see grid.c]
# Environment: GRID (the driver), SRC (the checkout). Exit 77: skipped, and it says why.
set -u
fathom=${1:?the fathom program}
group=${2:?a group of settings.sh}
shift 2
settings=$("$SRC/tests/grid/settings.sh" "$group") || exit
exec "$GRID" "$fathom" "$@" <<<"$settings"
