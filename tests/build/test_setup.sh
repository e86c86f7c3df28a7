#!/bin/sh
# setup.sh where nothing is missing, where there is no apt, and where only some packages are missing.
set -u
. "$ROOT/tests/tap.sh"

# A PATH with the named programs and nothing else. A stand-in for apt-get writes down what it is asked for.
only() { # DIRECTORY PROGRAM...
    mkdir "$1"
    where=$1
    shift
    for program in sh env cat sed tr cut head "$@"; do
        ln -s "$(command -v "$program")" "$where/$program"
    done
}

run_setup() { # PATH [OPTION]; leaves output and status in $scratch/actual
    (
        PATH=$1
        shift
        "$ROOT/setup.sh" "$@"
        echo "status $?"
    ) >"$scratch/actual" 2>&1
}

printf 'setup: nothing is missing\nstatus 0\n' >"$scratch/expected"
run_setup "$PATH"
same "does nothing when nothing is missing" "$scratch/expected" "$scratch/actual"

printf 'usage: ./setup.sh [--dev]\nstatus 2\n' >"$scratch/expected"
run_setup "$PATH" --bogus
same "refuses an unknown option" "$scratch/expected" "$scratch/actual"

only "$scratch/bare"
cat >"$scratch/expected" <<'END'
setup: this system has no apt; install what these Debian packages hold, then run make:
  gcc
  binutils
  make
  pkg-config
  libxml2-dev
  libcjson-dev
  zlib1g-dev
  libprotobuf-c-dev
  libpng-dev
  libjpeg-dev
  libwebp-dev
  libtiff-dev
  libopenjp2-7-dev
  protobuf-c-compiler
  libcmocka-dev
status 1
END
run_setup "$scratch/bare"
same "prints what is needed where there is no apt" "$scratch/expected" "$scratch/actual"

# make comes with the installation, in this stand-in; sudo only runs what it is given, and says so.
only "$scratch/some" gcc objcopy pkg-config protoc-c ln
cat >"$scratch/some/apt-get" <<END
#!/bin/sh
echo "apt-get \$1" >>"$scratch/asked"
[ "\$1" = update ] || ln -s "$(command -v make)" "$scratch/some/make"
END
printf '#!/bin/sh\necho "sudo" >>"%s/asked"\nexec "$@"\n' "$scratch" >"$scratch/some/sudo"
printf '#!/bin/sh\necho "${FAKE_ID:-0}"\n' >"$scratch/some/id"
chmod +x "$scratch/some/apt-get" "$scratch/some/sudo" "$scratch/some/id"
printf 'setup: installing make\nsetup: done\nstatus 0\n' >"$scratch/expected"
run_setup "$scratch/some"
same "installs what is missing" "$scratch/expected" "$scratch/actual"
printf 'apt-get update\napt-get install\n' >"$scratch/expected"
same "root needs no sudo" "$scratch/expected" "$scratch/asked"

rm "$scratch/some/make" "$scratch/asked"
FAKE_ID=1000
export FAKE_ID
run_setup "$scratch/some"
printf 'sudo\napt-get update\nsudo\napt-get install\n' >"$scratch/expected"
same "others use sudo" "$scratch/expected" "$scratch/asked"

# Any C compiler will do.
rm "$scratch/some/make" "$scratch/some/gcc"
ln -s "$(command -v cat)" "$scratch/some/clang"
FAKE_ID=0
run_setup "$scratch/some"
printf 'setup: installing make\nsetup: done\nstatus 0\n' >"$scratch/expected"
same "asks for no gcc where clang is" "$scratch/expected" "$scratch/actual"
FAKE_ID=1000

rm "$scratch/some/make" "$scratch/some/sudo"
run_setup "$scratch/some"
cat >"$scratch/expected" <<'END'
setup: installing make
setup: not root, and no sudo: run as root: apt-get install make
status 1
END
same "without sudo it says what to do" "$scratch/expected" "$scratch/actual"
finish
