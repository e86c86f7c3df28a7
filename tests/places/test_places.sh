#!/bin/sh
# The command finds its library, and the library its module, beside itself, or in ../lib, and nowhere else: impostors
# stand in the folders above, and a module of another version, or that others may write, is not even opened. The code
# of an impostor would run as soon as it is loaded.
set -u
. "$ROOT/tests/tap.sh"

if [ ! -e "$BUILD/libinlay.so" ]; then
    skip "where libraries are looked for" "there is no shared library in this build"
    finish
    exit 0
fi
cd "$scratch" || exit 2
cat >impostor.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void run(void)
{
    FILE *f = fopen(getenv("RAN"), "w");
    if (f)
        fclose(f);
}
END
$CC -shared -fPIC -o impostor.so impostor.c || exit 2
export RAN="$scratch/ran"
cat >one.inlay <<'END'
graph "one" {
  %x = Parameter-1 {element_type = f32, shape = [2]}
  %r = Result-1(%x)
}
END

stage() { # a place like that of a build or of an installed one: top/sub/bin/inlay and its library beside it
    rm -rf top ran && mkdir -p top/sub/bin top/sub/lib/inlay top/lib && cp "$BUILD/inlay" "$BUILD/libinlay.so" top/sub/bin/ || exit 2
    ln -s libinlay.so top/sub/bin/libinlay.so.1
}
plant() { # NAME...
    for name; do
        mkdir -p "$(dirname "$name")" && cp impostor.so "$name" && chmod 755 "$name" || exit 2
    done
}
stays_out() { # NAME COMMAND...
    name=$1
    shift
    timeout 20 "$@" >stdout 2>stderr </dev/null
    if [ -e ran ]; then
        fail "$name" "the code of an impostor ran: $*"
    elif ! ./top/sub/bin/inlay info one.inlay >said 2>&1; then
        fail "$name" "the command does not run: $(cat said)"
    else
        pass "$name"
    fi
}

stage
plant top/libinlay.so.1 top/sub/libinlay.so.1 top/lib/libinlay.so.1 top/sub/lib/libinlay.so.1 lib/libinlay.so.1
stays_out "a library in another folder" ./top/sub/bin/inlay info one.inlay
stays_out "a library in the current folder" sh -c 'cd top && ./sub/bin/inlay info ../one.inlay'

stage
plant top/libinlay-onednn.so top/sub/libinlay-onednn.so top/lib/inlay/libinlay-onednn.so libinlay-onednn.so
stays_out "a module in a folder above" ./top/sub/bin/inlay run one.inlay --random --kernels onednn
stage
plant top/sub/bin/libinlay-onednn.so
stays_out "a module of another version" ./top/sub/bin/inlay run one.inlay --random --kernels onednn
stage
plant top/sub/lib/inlay/libinlay-onednn.so
stays_out "a module of another version in ../lib" ./top/sub/bin/inlay --version
stage
plant top/sub/bin/libinlay-onednn.so
strings -a "$BUILD/libinlay.so" 2>/dev/null | grep '^module of kernels' >>top/sub/bin/libinlay-onednn.so
chmod 777 top/sub/bin/libinlay-onednn.so
stays_out "a module that others may write" ./top/sub/bin/inlay run one.inlay --random --kernels onednn

# The one that was built is found, beside the library and where it is installed.
if [ -e "$BUILD/libinlay-onednn.so" ]; then
    for place in bin lib/inlay; do
        stage
        cp "$BUILD/libinlay-onednn.so" "top/sub/$place/" && chmod 755 "top/sub/$place/libinlay-onednn.so"
        if ./top/sub/bin/inlay run one.inlay --random --kernels onednn >stdout 2>stderr; then
            pass "a module in $place"
        else
            fail "a module in $place" "$(cat stderr)"
        fi
    done
fi
# Paths of libraries in what is built have no folder above, and none that anybody could make.
paths=$(readelf -d "$BUILD/inlay" "$BUILD/libinlay.so" | sed -n 's/.*R.*PATH.*\[\(.*\)\]/\1/p')
if [ "$paths" = "\$ORIGIN:\$ORIGIN/../lib" ]; then pass "paths of libraries"; else fail "paths of libraries" "$paths"; fi
finish
