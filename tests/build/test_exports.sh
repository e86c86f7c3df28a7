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

# The list of what is exported, and the rule for changing it.
symbols() { # check|update ARGUMENTS...
    sh "$ROOT/tests/build/symbols.sh" "$@"
}
# shellcheck disable=SC2046
in_tree() { # the list of this tree
    cd "$ROOT" && symbols check tests/build/symbols.txt $(${MAKE:-make} -s soname) $(${MAKE:-make} -s headers)
}
works "the list is what the headers declare, and keeps the rule" in_tree
grep -oE '^[ +] .*inlay_[a-z0-9_]+\(' "$ROOT/tests/build/symbols.txt" | sed 's/.*\(inlay_[a-z0-9_]*\)($/\1/' | sort >"$scratch/listed"
same "the list names what is exported" "$scratch/listed" "$scratch/so"

# The check must be able to fail: small headers in the place of ours.
cd "$scratch" || exit 2
cat >h.h <<'END'
typedef struct inlay_pair {
    int a, b; /* two */
} inlay_pair;
INLAY_API bool inlay_one(int a, const inlay_pair *p);
INLAY_API void inlay_two(void);
END
: >list
symbols base list libinlay.so.3 1.4.0 h.h
keeps() { # NAME SONAME VERSION
    works "$1" symbols update list "$2" "$3" h.h
}
breaks() { # NAME WORDS SONAME VERSION
    if symbols update list "$3" "$4" h.h 2>said || ! grep -qF "$2" said; then
        fail "$1" "$(cat said)"
    else
        pass "$1"
    fi
}
sed -i 's/int a, const inlay_pair \*p/int first, const inlay_pair *second/' h.h
works "a parameter may be called otherwise" symbols check list libinlay.so.3 1.4.0 h.h
echo 'INLAY_API int inlay_three(int a);' >>h.h
breaks "a new name asks for a new minor version" "INLAY_VERSION_MINOR in ir/version.h must grow" libinlay.so.3 1.4.9
if symbols check list libinlay.so.3 1.5.0 h.h >said 2>&1 || ! grep -qF 'make symbols' said; then
    fail "a list that is not up to date is refused" "$(cat said)"
else
    pass "a list that is not up to date is refused"
fi
keeps "a new minor version may have it" libinlay.so.3 1.5.0
works "and then the list is up to date" symbols check list libinlay.so.3 1.5.0 h.h
sed -i '/inlay_two/d' h.h
breaks "a name that goes asks for another SONAME" "void inlay_two(void)" libinlay.so.3 1.6.0
keeps "another SONAME may lack it" libinlay.so.4 1.5.0
printf '%s\n' 'base libinlay.so.3 1.4.0' '  bool inlay_one(int, const inlay_pair *)' >wanted
grep -E '^base|one|pair$' list >found
same "the base stays what it was" wanted found
symbols base list libinlay.so.4 1.5.0 h.h
sed -i 's/int first/long first/' h.h
breaks "so does a function that changes" "bool inlay_one(int, const inlay_pair *)" libinlay.so.4 1.6.0
sed -i 's/long first/int first/; s/int a, b;/int a, b, c;/' h.h
breaks "so does a struct that changes" "type inlay_pair" libinlay.so.4 1.6.0
finish
