#!/bin/sh
# Which room (folder of sources) includes headers of which others. The table is the whole truth: an include that it does
# not name fails, and so does a line of it that no include needs any more. Every room outside of ir/ may include
# the public headers and ir/shared.h. In ir/ a public header belongs to the room whose files it declares.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# ROOM: the rooms whose headers it includes, and does not have itself.
rooms() {
    cat <<'END'
cli:
front:
front/view:
generate:
interp: interp/audit interp/exec interp/exec/threads interp/reference
interp/audit: interp/exec/build
interp/call:
interp/exec: interp/exec/plan interp/exec/run
interp/exec/build: interp/call interp/exec/loop interp/exec/plan interp/library
interp/exec/loop: interp/call interp/exec/plan
interp/exec/plan: interp/call interp/library
interp/exec/report: interp/exec/build interp/exec/plan interp/library
interp/exec/run: interp/call interp/exec/build interp/exec/loop interp/exec/plan interp/exec/threads interp/library
interp/exec/threads: interp/call
interp/kernels: interp/call interp/maths
interp/library: interp/call interp/kernels interp/maths
interp/maths:
interp/onednn: interp/library
interp/reference: interp/call
ir:
ir/base:
ir/graph: ir/base ir/infer ir/ops ir/tensor
ir/infer: ir/base ir/graph ir/tensor
ir/notes: ir/base ir/graph ir/tensor
ir/ops: ir/base ir/tensor
ir/tensor: ir/base
ir/text: ir/base ir/graph ir/tensor
parser:
parser/cjson: parser
parser/json: parser parser/cjson
parser/npy: parser
parser/onnx: parser parser/cjson
parser/onnx/import: parser/onnx
parser/openvino: parser parser/xml
parser/text: parser
parser/xml:
passes: ir/base
passes/check: passes/rules
passes/control: passes
passes/eliminate: passes
passes/explore:
passes/fold: passes passes/query
passes/inplace: passes passes/query
passes/prove: passes/check passes/rules
passes/query: ir/base
passes/reduce: passes/control
passes/rules: passes passes/query
passes/rules/vocabulary: passes/query passes/rules
passes/symbolic: ir/base passes/verify
passes/verify:
python/src:
END
}

# Prints "ROOM OTHER FILE" for each include of another room's header.
included() {
    git ls-files -co --exclude-standard 'ir/*.[ch]' 'parser/*.[ch]' 'passes/*.[ch]' 'interp/*.[ch]' 'generate/*.[ch]' 'front/*.[ch]' 'cli/*.[ch]' 'python/*.[ch]' \
        'ir/*.def' 'ir/*.inc' 'interp/*.inc' 'passes/*.def' |
        xargs grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*/' | awk -F'[:"]' '
        BEGIN {
            home["ir/budget.h"] = home["ir/diag.h"] = home["ir/strbuf.h"] = home["ir/version.h"] = "ir/base"
            home["ir/tensor.h"] = "ir/tensor"
            home["ir/op.h"] = "ir/ops"
            home["ir/infer.h"] = "ir/infer"
            home["ir/graph.h"] = home["ir/build.h"] = home["ir/diff.h"] = "ir/graph"
            home["ir/print.h"] = "ir/text"
        }
        function room(path) { sub(/\/[^\/]*$/, "", path); return path }
        {
            from = $1 in home ? home[$1] : room($1)
            to = $3 in home ? home[$3] : room($3)
        }
        # ir.h and shared.h are lists of other headers.
        from == "ir" || (from !~ /^ir\// && room($3) == "ir") { next }
        $3 !~ /^(parser\/parser|passes\/passes|interp\/interp|interp\/kernel|generate\/generate|front\/front)\.h$/ && from != to { print from, to, $1 }'
}

rooms | awk -F': *' '{ n = split($2, other, " "); for (i = 1; i <= n; i++) print $1, other[i] }' | sort -u >"$scratch/allowed"
included | sort -u >"$scratch/included"
cut -d ' ' -f 1,2 "$scratch/included" | sort -u >"$scratch/used"

comm -13 "$scratch/allowed" "$scratch/used" >"$scratch/more"
if [ -s "$scratch/more" ]; then
    fail "every include is of a room that the table names" "$(grep -F -f "$scratch/more" "$scratch/included")"
else
    pass "every include is of a room that the table names"
fi
comm -23 "$scratch/allowed" "$scratch/used" >"$scratch/less"
if [ -s "$scratch/less" ]; then
    fail "the table names no more than is included" "$(cat "$scratch/less")"
else
    pass "the table names no more than is included"
fi

if grep '^interp' "$scratch/used" | tsort >/dev/null 2>"$scratch/circle"; then
    pass "the rooms of interp include each other one way"
else
    fail "the rooms of interp include each other one way" "$(cat "$scratch/circle")"
fi

git ls-files -co --exclude-standard 'ir/*.[ch]' 'parser/*.[ch]' 'passes/*.[ch]' 'interp/*.[ch]' 'generate/*.[ch]' 'front/*.[ch]' 'cli/*.[ch]' 'python/*.[ch]' |
    sed 's|/[^/]*$||' | sort -u >"$scratch/folders"
rooms | sed 's/:.*//' | sort >"$scratch/named"
same "every folder is a room of the table" "$scratch/named" "$scratch/folders"
finish
