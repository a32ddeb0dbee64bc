#!/bin/sh
# installed.sh BUILD SCRATCH: installs the build, moves the installation, and uses it as other projects do.
set -eu
build=$1 scratch=$2
here=$(dirname "$0")

rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/staged" >"$scratch/install.log"
mv "$scratch/staged" "$scratch/prefix"  # nothing in it may remember where it was installed
prefix=$scratch/prefix

run() {
  echo "-- $1, bare, with WINDROW_PES, and launched"
  "$1" 1
  WINDROW_PES=2 "$1" 2
  "$prefix/bin/windrow" run -n 2 "$1" 2
}

# fmt is used inside the library only: neither package nor headers may ask for it.
if grep -rn 'fmt' "$prefix/include"; then exit 1; fi
cmake -S "$here/with_package" -B "$scratch/package" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
cmake --build "$scratch/package"
run "$scratch/package/consumer"

# The project among the examples, as its own first lines say.
cmake -S "$here/../../examples/project" -B "$scratch/project" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/project"
"$prefix/bin/windrow" run -n 4 "$scratch/project/degrees"
"$prefix/bin/windrow" c++ -O2 "$here/../../examples/project/degrees.cpp" -o "$scratch/degrees"
"$prefix/bin/windrow" run -n 4 "$scratch/degrees"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name windrow.pc)")
export PKG_CONFIG_PATH
test "$(pkg-config --modversion windrow)" = "$("$scratch/package/consumer" --version)"
# shellcheck disable=SC2046  # flags are words
"${CXX:-c++}" -std=c++20 -O2 "$here/consumer.cpp" $(pkg-config --cflags --libs windrow) -o "$scratch/by_pkg_config"
run "$scratch/by_pkg_config"

# OpenSHMEM programs in C and C++: by the conventional wrappers, by the commands they print, and by pkg-config.
openshmem() {
  run "$1"
  "$prefix/bin/oshrun" -n 3 "$1" 3
}
"$prefix/bin/oshcc" -std=c11 -Wall -Wextra -Werror -O2 "$here/openshmem.c" -o "$scratch/by_oshcc"
openshmem "$scratch/by_oshcc"
# The same text as C++, by its name: clang warns of a language given by -x that nothing follows.
cp "$here/openshmem.c" "$scratch/openshmem.cpp"
"$prefix/bin/oshc++" -Wall -Wextra -Werror -O2 "$scratch/openshmem.cpp" -o "$scratch/by_oshcxx"
openshmem "$scratch/by_oshcxx"
eval "$("$prefix/bin/oshcc" -show -std=c11 -O2 "$here/openshmem.c" -o "$scratch/by_shown_command")"
openshmem "$scratch/by_shown_command"
test "$(pkg-config --modversion oshmem)" = "$(pkg-config --modversion windrow)"
# shellcheck disable=SC2046
"${CC:-cc}" -std=c11 -O2 "$here/openshmem.c" $(pkg-config --cflags --libs oshmem) -o "$scratch/openshmem_by_pkg_config"
openshmem "$scratch/openshmem_by_pkg_config"
# shellcheck disable=SC2046
"${CXX:-c++}" -O2 "$scratch/openshmem.cpp" $(pkg-config --cflags --libs oshmem) -o "$scratch/openshmem_cxx_by_pkg_config"
openshmem "$scratch/openshmem_cxx_by_pkg_config"
cmake -S "$here/with_package_in_c" -B "$scratch/package_in_c" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/package_in_c"
openshmem "$scratch/package_in_c/consumer"
cmake -S "$here/builds/pkg_config" -B "$scratch/pkg_config"
cmake --build "$scratch/pkg_config"
test "$("$prefix/bin/oshrun" -np 3 "$scratch/pkg_config/program")" = "PEs 3"
rm -r "$scratch"
