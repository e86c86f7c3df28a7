#!/bin/sh
# The spellings of exporters, one file each (README.md says what stands in their heads). Each is optimised by pipeline
# default and by aggressive. The first of the two that leaves the operations which the head names must be the one that the
# head names; default must leave the same function bit for bit, aggressive one within the tolerance of rules that are
# approx. README.md must have the table that follows from the files.
# With INLAY_SLOW each fourth is tried.
set -u
. "$ROOT/tests/tap.sh"
here=$ROOT/tests/spellings

# The words behind KEY in the head of FILE.
head_of() { # KEY FILE
    sed -n "s~^\(//\|#\) $1: ~~p" "$2"
}

# One word a line, in order.
sorted() { # WORDS...
    printf '%s\n' "$@" | sort
}

# The operations of a graph in text form, but for what every graph has.
operations() { # FILE
    sed -n 's/^  \(%[^=]*\|([^=]*)\) = \([A-Za-z]*\)-[0-9].*/\2/p' "$1" | grep -Evx 'Parameter|Const|Result'
}

# Of the inputs of a graph those that are floats are numbers of usual size: where a sum overflows on one side only, no
# tolerance helps.
usual() { # FILE
    sed -n 's/^  %.* = Parameter-1 {element_type = \(f16\|f32\).* as "\(.*\)"$/-i \2=random:-4:4/p' "$1"
}

# Optimises FILE into $scratch/PIPELINE.inlay and leaves in $scratch/why what is wrong with the result. Each pass is
# compared with what it was given, and the whole with FILE.
optimise() { # PIPELINE FILE VERIFY-OPTIONS...
    out=$scratch/$1.inlay
    pipeline=$1 file=$2
    shift 2
    "$BUILD/inlay" opt "$file" --passes "$pipeline" --verify -o "$out" >"$scratch/why" 2>&1 || return
    sizes=
    ! grep -q '#N' "$out" || sizes="--dim N=2"
    case $pipeline in
    aggressive)
        # shellcheck disable=SC2046
        set -- $(usual "$out") --trials 1 --rtol 1e-4 --atol 1e-5 --ulp 4
        ;;
    *) set -- --trials 8 ;;
    esac
    # shellcheck disable=SC2086
    "$BUILD/inlay" verify "$file" "$out" $sizes "$@" >"$scratch/why" 2>&1
}

# The first pipeline that leaves the operations, or none.
first_of() { # OPERATIONS...
    sorted "$@" >"$scratch/wanted"
    for pipeline in default aggressive; do
        operations "$scratch/$pipeline.inlay" | sort >"$scratch/left"
        if cmp -s "$scratch/wanted" "$scratch/left"; then
            echo "$pipeline"
            return
        fi
    done
    echo none
}

check() { # NAME FILE
    for pipeline in default aggressive; do
        if ! optimise "$pipeline" "$2"; then
            fail "$1" "$pipeline: $(cat "$scratch/why")"
            return
        fi
    done
    want=$(head_of pipeline "$2")
    # shellcheck disable=SC2046
    found=$(first_of $(head_of becomes "$2"))
    if [ "$found" = "${want:-none}" ]; then
        pass "$1"
    else
        fail "$1" "pipeline ${want:-none} expected, found $found: $(operations "$scratch/$found.inlay" 2>/dev/null | paste -s -d ' ')"
    fi
}

ls "$here"/*.onnxtxt | if [ -z "${INLAY_SLOW:-}" ]; then cat; else sed -n '1~4p'; fi >"$scratch/files"
while read -r file; do
    check "$(basename "${file%.*}")" "$file"
done <"$scratch/files"

"$here/rows.sh" >"$scratch/rows"
sed -n '/^| .*| `/p' "$here/README.md" >"$scratch/said"
same "README.md has the table of these files" "$scratch/rows" "$scratch/said"
finish
