#!/bin/sh
# Installs what Inlay needs and this machine lacks. usage: ./setup.sh [--dev]
# --dev adds what contributors use: a second compiler, formatting, static analysis, coverage, numpy for tests, and what
# the package in Python is built and tested with.
# Debian and Ubuntu only; elsewhere it prints what is needed and stops.
set -eu

# NAME:TEST, where the test is `cmd X...` (one of these programs), `pc X` (a pkg-config module), `py X` (a module of
# Python) or `file X`.
needed="
gcc:cmd cc gcc clang
libc6-dev:file /usr/include/stdlib.h
binutils:cmd objcopy
make:cmd make
pkg-config:cmd pkg-config
libxml2-dev:pc libxml-2.0
libcjson-dev:pc libcjson
uthash-dev:file /usr/include/uthash.h
zlib1g-dev:pc zlib
libprotobuf-c-dev:pc libprotobuf-c
libpng-dev:pc libpng
libjpeg-dev:pc libjpeg
libwebp-dev:pc libwebp
libtiff-dev:pc libtiff-4
libopenjp2-7-dev:pc libopenjp2
protobuf-c-compiler:cmd protoc-c
libcmocka-dev:pc cmocka
libdnnl-dev:file /usr/include/dnnl.h"
developer="
clang:cmd clang
clang-format:cmd clang-format
cppcheck:cmd cppcheck
lcov:cmd lcov
z3:cmd z3
python3-numpy:py numpy
python3-dev:file /usr/include/python3*/Python.h
python3-setuptools:py setuptools
python3-wheel:py wheel
python3-pip:py pip
python3-venv:py ensurepip
python3-pytest:py pytest
python3-pil:py PIL
mypy:py mypy"

case ${1:-} in
--dev) needed="$needed$developer" ;;
'') ;;
*)
    echo "usage: ./setup.sh [--dev]" >&2
    exit 2
    ;;
esac

present() {
    case $1 in
    cmd)
        shift
        for program in "$@"; do
            if command -v "$program" >/dev/null 2>&1; then return 0; fi
        done
        return 1
        ;;
    pc) pkg-config --exists "$2" 2>/dev/null ;;
    py) python3 -c "import $2" 2>/dev/null || /usr/bin/python3 -c "import $2" 2>/dev/null ;;
    file) [ -e "$2" ] ;;
    esac
}

find_missing() {
    echo "$needed" | while IFS=: read -r package test; do
        # The test is two words on purpose.
        # shellcheck disable=SC2086
        [ -z "$package" ] || present $test || echo "$package"
    done
    # clang has its sanitizers in a package named after its version.
    if [ "${1:-}" = --dev ] && command -v clang >/dev/null 2>&1; then
        [ -e "$(clang -print-file-name=libclang_rt.asan-x86_64.a)" ] ||
            [ -e "$(clang -print-file-name=libclang_rt.asan.a)" ] ||
            [ -e "$(clang -print-file-name=libclang_rt.asan-aarch64.a)" ] ||
            echo "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
    fi
}

install() {
    # shellcheck disable=SC2086
    echo "setup: installing" $1
    if [ "$(id -u)" = 0 ]; then
        sudo=
    elif command -v sudo >/dev/null 2>&1; then
        sudo=sudo
    else
        # shellcheck disable=SC2086
        echo "setup: not root, and no sudo: run as root: apt-get install" $1 >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    {
        $sudo apt-get update -qq
        $sudo env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes \
            apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $1 >/dev/null
    }
}

missing=$(find_missing "${1:-}")
if [ -z "$missing" ]; then
    echo "setup: nothing is missing"
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this system has no apt; install what these Debian packages hold, then run make:" >&2
    echo "$missing" | sed 's/^/  /' >&2
    exit 1
fi
install "$(echo "$missing" | tr '\n' ' ')"

# The sanitizers' package could only be named once clang was there.
missing=$(find_missing "${1:-}")
[ -z "$missing" ] || install "$(echo "$missing" | tr '\n' ' ')"
missing=$(find_missing "${1:-}")
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    echo "setup: still missing:" $missing >&2
    exit 1
fi
echo "setup: done"
