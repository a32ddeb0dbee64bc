#!/bin/sh
# packed.sh BUILD SCRATCH: makes a Debian package of the build, unpacks it, and uses what is in it.
set -eu
build=$1 scratch=$2
here=$(dirname "$0")

rm -rf "$scratch"
mkdir -p "$scratch"
(cd "$scratch" && cpack --config "$build/CPackConfig.cmake" -G DEB >cpack.log)
package=$(find "$scratch" -maxdepth 1 -name '*.deb')
dpkg-deb --field "$package" Package | grep -x windrow
dpkg-deb --field "$package" Depends | grep -q g++
dpkg-deb --extract "$package" "$scratch/root"
cp "$here/consumer.cpp" "$scratch"
"$scratch/root/usr/bin/windrow" c++ -O2 "$scratch/consumer.cpp" -o "$scratch/consumer"
"$scratch/root/usr/bin/windrow" run -n 2 "$scratch/consumer" 2
rm -r "$scratch"
