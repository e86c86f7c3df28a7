#!/bin/sh
# Both libraries define inlay_ names for others and nothing else, and define the same ones.
set -u
. "$ROOT/tests/tap.sh"

nm -D --defined-only "$BUILD/libinlay.so" | awk '{ print $NF }' | sort >"$scratch/so"
nm -g --defined-only "$BUILD/libinlay.a" | awk 'NF == 3 { print $3 }' | sort >"$scratch/a"
for kind in so a; do
    if others=$(grep -v '^inlay_' "$scratch/$kind"); then
        fail "libinlay.$kind defines inlay_ names only" "$others"
    else
        pass "libinlay.$kind defines inlay_ names only"
    fi
done
same "both libraries define the same names" "$scratch/so" "$scratch/a"

# Each name that the public headers promise is there.
(cd "$ROOT" && cat $(${MAKE:-make} -s headers)) |
    tr '\n' ' ' | grep -oE 'INLAY_API [^;(]*\(' | grep -oE 'inlay_[a-z0-9_]+\($' | tr -d '(' |
    sort -u >"$scratch/promised"
if missing=$(comm -23 "$scratch/promised" "$scratch/so" | grep .); then
    fail "every function of the public headers is there" "$missing"
else
    pass "every function of the public headers is there"
fi
finish
