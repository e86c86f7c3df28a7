#!/bin/sh
# Two files that call each other are one piece in two files: none can be read, tested or moved without the other.
# In interp/exec a circle may not be longer either, but for the recursion through bodies.
# The objects are asked which symbols they define and which they refer to. The list is the whole truth: a pair that it
# does not name fails, and so does a line of it that is no pair any more.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# Plain mutual recursion: a graph has nodes, and a node has graphs.
circles() {
    cat <<'END'
parser/onnx/graph.c parser/onnx/model.c
parser/onnx/text.c parser/onnx/text_value.c
parser/openvino/bodies.c parser/openvino/graph.c
END
}

# Where this recursion is cut: an instance holds those of the bodies of its steps, and kernels ask for runs of bodies.
recursion() {
    cat <<'END'
interp/exec/build/rehearsal.c interp/exec/build/cache.c
interp/exec/build/rehearse.c interp/exec/build/cache.c
interp/exec/run/frame.c interp/exec/run/executor.c
END
}

# What nm says of the objects of all sources. The build directory may hold others, of files that were there once.
# The module of oneDNN is a library of its own, which some builds leave out.
symbols() {
    find ir parser passes interp generate front cli -name '*.c' ! -name opgen.c ! -name rulegen.c ! -path 'interp/onednn/*' |
        sed "s|^\(.*\)\.c\$|${BUILD:-build}/obj/\1.o|" | xargs nm -A -g
}

# Prints "FILE OTHER" for each file of interp/exec and each other one of them that it calls.
edges() {
    sed "s|^${BUILD:-build}/obj/||; s|\.o:.*\( [A-Z] [^ ]*\)\$|.c\1|" | awk '
        index($1, "interp/exec/") != 1 { next }
        $2 == "U" { wants[$1 " " $3]; next }
        { home[$3] = $1 }
        END {
            for (want in wants) {
                split(want, part, " ")
                other = home[part[2]]
                if (other != "" && other != part[1]) print part[1], other
            }
        }' | sort -u
}

# Prints "FILE OTHER: SYMBOL ...; SYMBOL ..." for each pair: what the first calls of the other, and the other way round.
pairs() {
    awk -v objects="${BUILD:-build}/obj/" '
        {
            file = substr($1, length(objects) + 1)
            sub(/\.o:.*/, ".c", file)
        }
        $(NF - 1) == "U" { wants[file, $NF]; next }
        { home[$NF] = file }
        END {
            for (want in wants) {
                split(want, part, SUBSEP)
                other = home[part[2]]
                if (other != "" && other != part[1]) calls[part[1], other] = calls[part[1], other] " " part[2]
            }
            for (call in calls) {
                split(call, part, SUBSEP)
                if (part[1] < part[2] && ((part[2], part[1]) in calls))
                    print part[1] " " part[2] ":" calls[call] ";" calls[part[2], part[1]]
            }
        }' | sort
}

if symbols >"$scratch/symbols"; then pass "every source has an object"; else fail "every source has an object"; fi
pairs <"$scratch/symbols" >"$scratch/pairs"
cut -d : -f 1 "$scratch/pairs" | sort >"$scratch/found"
circles | sort >"$scratch/known"

comm -13 "$scratch/known" "$scratch/found" >"$scratch/more"
if [ -s "$scratch/more" ]; then
    fail "no two files call each other" "$(grep -F -f "$scratch/more" "$scratch/pairs")"
else
    pass "no two files call each other"
fi
comm -23 "$scratch/known" "$scratch/found" >"$scratch/less"
if [ -s "$scratch/less" ]; then
    fail "all pairs of the list still call each other" "$(cat "$scratch/less")"
else
    pass "all pairs of the list still call each other"
fi

edges <"$scratch/symbols" >"$scratch/edges"
recursion | sort >"$scratch/cut"
comm -13 "$scratch/edges" "$scratch/cut" >"$scratch/less"
if [ ! -s "$scratch/less" ] && comm -23 "$scratch/edges" "$scratch/cut" | tsort >/dev/null 2>"$scratch/circle"; then
    pass "the executor's files have no circle but through bodies"
else
    fail "the executor's files have no circle but through bodies" "$(cat "$scratch/less" "$scratch/circle")"
fi

# The check must be able to fail.
a=${BUILD:-build}/obj/a.o b=${BUILD:-build}/obj/b.o
printf '%s\n' "$a:0 T f" "$a: U g" "$a: U h" "$b:0 T g" "$b: U f" "$b:8 T h" | pairs >"$scratch/made"
if [ "$(cut -d : -f 1 "$scratch/made")" = "a.c b.c" ]; then pass "a pair is found"
else fail "a pair is found" "$(cat "$scratch/made")"; fi
finish
