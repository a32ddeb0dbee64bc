#!/bin/sh
# plain.sh SOURCE SCRATCH [CMAKE]: builds and installs Windrow as docs/install.md says, with plain CMake and none of the scripts, and uses
# it from another project. Several files are compiled together and nothing is optimised, for speed.
set -eu
source=$1 scratch=$2 cmake=${3:-cmake}
here=$(dirname "$0")

rm -rf "$scratch"
"$cmake" -S "$source" -B "$scratch/build" -DWINDROW_COMPILER=off -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24
"$cmake" --build "$scratch/build" --parallel 2
"$cmake" --install "$scratch/build" --prefix "$scratch/prefix"
"$cmake" -S "$here/with_package" -B "$scratch/package" -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/package"
"$scratch/prefix/bin/windrow" run -n 2 "$scratch/package/consumer" 2
# A typing error would show on the cluster only.
if "$cmake" -S "$source" -B "$scratch/wrong" -DWINDROW_COMPILER=off -DWINDROW_MPI=lam >"$scratch/wrong.log" 2>&1; then exit 1; fi
grep -q "WINDROW_MPI is 'lam': it must be openmpi, mpich" "$scratch/wrong.log"
# What is not in such a build is told apart from typing errors.
"$scratch/prefix/bin/windrow" graph 2>&1 | grep -q "built without -DWINDROW_DEVELOPER=ON"
