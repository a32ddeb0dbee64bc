#!/bin/sh
# source.sh SOURCE SCRATCH: uses the library as part of another project: for it alone, fmt is enough. That project compiles
# several files together and optimises nothing, for speed, and takes everything away where it has succeeded.
set -eu
source=$1 scratch=$2
here=$(dirname "$0")

rm -rf "$scratch"
cmake -S "$here/with_source" -B "$scratch" -DWINDROW_SOURCE="$source" -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
cmake --build "$scratch"
"$scratch/consumer" 1
WINDROW_PES=2 "$scratch/consumer" 2
rm -r "$scratch"
