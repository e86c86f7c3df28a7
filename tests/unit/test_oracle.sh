#!/bin/sh
# The reference executor is the oracle of the planned one: what they share stands below both, and of each other they
# know nothing. Includes are the matter of test_rooms.sh; here the objects are asked which symbols they refer to.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# The objects of a room. The build directory may hold others, of files that were there once.
objects() { # ROOM
    find interp/"$1" -name '*.c' | sed "s|^\(.*\)\.c\$|${BUILD:-build}/obj/\1.o|"
}

# The symbols that objects of a room define, and those that they only refer to.
defined() { # ROOM
    objects "$1" | xargs nm | awk 'NF == 3 && $2 ~ /[A-TV-Z]/ { print $3 }' | sort -u
}
wanted() { # ROOM
    objects "$1" | xargs nm -u | awk 'NF == 2 && $1 == "U" { print $2 }' | sort -u
}

# No symbol of OTHER is referred to in ROOM.
apart() { # ROOM OTHER
    wanted "$1" >"$scratch/wanted"
    defined "$2" >"$scratch/defined"
    shared=$(comm -12 "$scratch/wanted" "$scratch/defined")
    if [ ! -s "$scratch/defined" ]; then fail "$2 defines symbols"
    elif [ -z "$shared" ]; then pass "$1 refers to nothing in $2"
    else fail "$1 refers to nothing in $2" "$shared"; fi
}

apart reference exec
apart exec reference
apart call exec
apart call reference
apart kernels exec
apart kernels reference
apart reference library
apart call library
apart kernels library

# The check must be able to fail: both executors call what is below them.
for room in reference exec; do
    wanted $room >"$scratch/wanted"
    defined call >"$scratch/defined"
    if comm -12 "$scratch/wanted" "$scratch/defined" | grep -qx call_kernel; then pass "$room calls kernels"
    else fail "$room calls kernels" "$(cat "$scratch/wanted")"; fi
done
finish
