#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Limits of memory and processor time that control groups set, of versions 1 and 2: files of our own in the place of
# the system's, in a mount namespace, for which the system must let us have one (root may, mostly).
. "$(dirname "$0")/lib.sh"
unshare -m true 2>/dev/null || { echo "SKIPPED: no mount namespace to be had: limits of control groups not tried"; exit 77; }
counter 7 >m.m

# group FILES LINES OPTIONS...: a check with these lines in /proc/self/cgroup. FILES: path=content, below /sys/fs/cgroup;
# a comma in the content is a blank, a plus ends a line.
group() {
  unshare -m bash -c '
    mount --make-rprivate / && mount -t tmpfs none /sys/fs/cgroup || exit 9
    for file in $1; do
      mkdir -p "/sys/fs/cgroup/$(dirname "${file%%=*}")" && echo "${file#*=}" | tr ,+ " \n" >"/sys/fs/cgroup/${file%%=*}"
    done
    printf "$2" >lines && mount --bind lines /proc/$$/cgroup || exit 9
    exec "$FATHOM" check "${@:3}" m.m' - "$@" >out 2>err </dev/null
  case $? in
  0) ;;
  9) echo "SKIPPED: the system does not let files be put in the place of its own"; exit 77 ;;
  *) fail "exit code with $1"; cat err ;;
  esac
}
m64=67108864 m128=134217728
# Three quarters of the least limit on the way to the root.
group "a/b/memory.max=max a/memory.max=$m128" "0::/a/b\n";              has out "memory limit 96.0 MiB"
group "a/b/memory.max=$m64 a/memory.max=$m128" "0::/a/b\n";             has out "memory limit 48.0 MiB"
group "memory/a/memory.limit_in_bytes=$m64 memory/a/b/memory.limit_in_bytes=9223372036854771712" \
  "4:memory:/a/b\n3:cpu,cpuacct:/a/b\n0::/\n";                          has out "memory limit 48.0 MiB"
group "a/memory.max=$m64" "0::/a\n" --memory 1G;                         has out "memory limit 1.0 GiB (there are only 64.0 MiB)"
# Above memory.high a group is slowed down. What others in the group have is not there: nine tenths of the rest. Files are
# given back, but not those in memory alone; files of many times what is used are no reason to overflow.
group "a/memory.high=$m64 a/memory.max=$m128" "0::/a\n";                has out "memory limit 48.0 MiB"
used="a/memory.max=$m128 a/memory.current=$m64"
group "$used" "0::/a\n";                                                has out "memory limit 57.6 MiB"
group "$used a/memory.stat=anon,1048576" "0::/a\n";                     has out "memory limit 57.6 MiB"
group "$used a/memory.stat=inactive_file,$m64" "0::/a\n";               has out "memory limit 96.0 MiB"
group "$used a/memory.stat=active_file,16777216+inactive_file,8388608" "0::/a\n"; has out "memory limit 79.2 MiB"
group "$used a/memory.stat=active_file,$m128" "0::/a\n";                has out "memory limit 96.0 MiB"
group "$used a/memory.stat=file,$m64+shmem,$m64" "0::/a\n";             has out "memory limit 57.6 MiB"
group "a/memory.max=$m128 memory.current=$m64" "0::/a\n";               has out "memory limit 96.0 MiB" # another group's
group "a/memory.max=$m128 a/memory.current=$m128" "0::/a\n";            has out "memory limit 14.4 MiB"
used="memory/a/memory.limit_in_bytes=$m128 memory/a/memory.usage_in_bytes=$m64"
group "$used" "4:memory:/a\n";                                          has out "memory limit 57.6 MiB"
group "$used memory/a/memory.stat=total_cache,$m64+total_inactive_file,$m64" "4:memory:/a\n"; has out "memory limit 96.0 MiB"
# A container sees its own group at the root, and the name that it has outside.
group "memory.max=$m64" "0::/../../x\n";                                has out "memory limit 48.0 MiB"
group "memory/memory.limit_in_bytes=$m64" "4:memory:/docker/f00\n";     has out "memory limit 48.0 MiB"
group "a/memory.max=0" "0::/a\n";                                       has out "GiB" # says nothing
# One and a half cores are two, if there are two; one is one.
group "a/cpu.max=100000,100000" "0::/a\n";                              lacks out "threads"
group "cpu/a/cpu.cfs_quota_us=50000 cpu/a/cpu.cfs_period_us=100000" "3:cpu,cpuacct:/a\n"; lacks out "threads"
[ "$(nproc)" -lt 2 ] || { group "a/cpu.max=150000,100000" "0::/a\n";     has out "up to 2 threads"; }
finish
