# SPDX-License-Identifier: Apache-2.0
# Sourced by compare.sh: which settings of the public models are compared, and what must come out
# of those that Rumur refuses.

# Runs of more states than this are left to the long test.
quick_states=100000

# Verifiers of models of more states are worth the compiler's -O1.
unoptimised_states=2000

# MODEL DEADLOCK [NAME=VALUE...]; each ends within seconds in Rumur.
shared_quick='
2_peterson.m stuttering
abp.m stuttering
arbiter.m stuttering
arbiter.m off
cache3.m stuttering
dek.m stuttering
down.m stuttering
dp4.m stuttering
dpnew.m stuttering
dpnew.m off
lin.m stuttering
mcslock1.m stuttering N=3
mcslock2.m stuttering N=2
n_flash.m stuttering NODE_NUM=1
n_g2k.m stuttering NODE_NUM=2
n_german.m stuttering NODE_NUM=2
n_mesi.m stuttering
n_mutualEx.m stuttering
n_peterson.m stuttering N=4
pingpong.m stuttering
sets.m stuttering
sort5.m stuttering
'

# The same and more, as large as ends within a minute (the files as they are where they do).
shared_full="$shared_quick
cache3.m stuttering ProcCount=3 ValueCount=2
cache3.m stuck
mcslock1.m stuttering
mcslock2.m stuttering
n_flash.m stuttering NODE_NUM=2 DATA_NUM=1
n_g2k.m stuttering NODE_NUM=3
n_german.m stuttering NODE_NUM=3
n_peterson.m stuttering N=5
"

# With symmetry alone: too large to be searched without.
shared_symmetric='
n_peterson.m stuttering N=5
mcslock1.m stuttering N=4
'
shared_symmetric_full="$shared_symmetric
mcslock2.m stuttering N=3
n_peterson.m stuttering N=6
mcslock1.m stuttering N=5
"

# Rumur knows no unions. MODEL|DEADLOCK|EXPECTED|ORIGIN. The runs of CMurphi are ours, of version
# 5.4.9 with -nosym (and -ndl for deadlock off); "published" are the counts in the model's closing
# comment for a run without symmetry.
shared_refused='
adash.m|stuttering|holds states 41848 rules 550644|published, and CMurphi
adashbug.m|stuttering|violated steps 15|published trace, and CMurphi
list6.m|stuttering|holds states 560185 rules 2389561|CMurphi
ns-old.m|stuttering|violated steps 1|CMurphi: a deadlock
ns-old.m|off|holds states 1121 rules 2578|CMurphi
ns.m|stuttering|violated steps 6|CMurphi: a deadlock
ns.m|off|holds states 980 rules 2314|CMurphi, which obeys rule priorities as we do
sci.m|stuttering|holds states 109080 rules 362418|CMurphi
scierr.m|stuttering|violated steps 8|CMurphi: a failed assertion
'

# The same with symmetry. CMurphi's reduction is not exact in general; on these counts its runs with
# -sym2 and with -sym3 agree.
shared_refused_symmetric='
adash.m|stuttering|holds states 10466 rules 137708|CMurphi
adashbug.m|stuttering|violated steps 15|as without symmetry
list6.m|stuttering|holds states 23410 rules 99874|CMurphi
ns-old.m|off|holds states 1121 rules 2578|CMurphi
ns.m|off|holds states 980 rules 2314|CMurphi
sci.m|stuttering|holds states 18193 rules 60455|CMurphi
scierr.m|stuttering|violated steps 8|as without symmetry
'
