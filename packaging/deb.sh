#!/bin/sh
# Makes Debian packages of what is committed. usage: packaging/deb.sh OUTDIR
# In a copy, because a build of packages writes beside the sources; needs debhelper and what debian/control names.
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out"/*
mkdir "$out/source"
git archive HEAD | tar -x -C "$out/source"
cd "$out/source"
dpkg-buildpackage -b -us -uc
rm -rf "$out/source"
echo "the packages are in $out"
