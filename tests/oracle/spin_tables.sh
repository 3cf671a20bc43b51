# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Sourced by compare_spin.sh: what is left to the long test because SPIN takes more than a moment for it.

# Examples of more states than this.
spin_quick_states=200000

# Public models.
spin_slow='adding.6.pml at.4.pml bakery.6.pml bopdp.3.pml brp.3.pml elevator.3.pml fischer.6.pml hanoi.2.pml
iprotocol.4.pml lamport.6.pml leader_filters.5.pml msmie.4.pml needham.4.pml peterson.4.pml phils.5.pml
protocols.5.pml spin-ltl-leader.pml spin-ltl-petersonN.pml spin-priorities.pml spin-sort.pml szymanski.4.pml
telephony.3.pml'
