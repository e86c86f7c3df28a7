#!/bin/sh
# Which room (folder of sources) includes headers of which others. The table is the whole truth: an include that it does
# not name fails, and so does a line of it that no include needs any more. Every room may include the public headers.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# ROOM: the rooms whose headers it includes, and does not have itself.
rooms() {
    cat <<'END'
cli:
interp: interp/exec interp/reference ir/base
interp/call: ir/base ir/ops
interp/exec: interp/call ir/base
interp/kernels: interp/call
interp/reference: interp/call
ir:
ir/base:
ir/graph: ir/base ir/infer
ir/infer: ir/base ir/graph
ir/notes: ir/base
ir/ops: ir/base
ir/tensor:
ir/text: ir/base
parser: ir/base parser/npy
parser/json: ir/base parser
parser/npy: ir/base parser
parser/onnx: parser
parser/openvino: ir/base parser parser/xml
parser/text: ir/base parser
parser/xml: parser parser/openvino
passes: ir/base
passes/eliminate: ir/base passes
passes/fold: ir/base passes passes/query
passes/inplace: ir/base passes passes/query
passes/query:
passes/rules: ir/base passes passes/query
passes/rules/vocabulary: ir/base passes/query passes/rules
passes/verify: ir/base
END
}

# Prints "ROOM OTHER FILE" for each include of another room's header.
included() {
    git ls-files -co --exclude-standard 'ir/*.[ch]' 'parser/*.[ch]' 'passes/*.[ch]' 'interp/*.[ch]' 'cli/*.[ch]' \
        'ir/*.def' 'ir/*.inc' 'interp/*.inc' 'passes/*.def' |
        xargs grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*/' | awk -F'[:"]' '
        function room(path) { sub(/\/[^\/]*$/, "", path); return path }
        $3 !~ /^(ir\/ir|parser\/parser|passes\/passes|interp\/interp)\.h$/ && room($1) != room($3) {
            print room($1), room($3), $1
        }'
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

git ls-files -co --exclude-standard 'ir/*.[ch]' 'parser/*.[ch]' 'passes/*.[ch]' 'interp/*.[ch]' 'cli/*.[ch]' |
    sed 's|/[^/]*$||' | sort -u >"$scratch/folders"
rooms | sed 's/:.*//' | sort >"$scratch/named"
same "every folder is a room of the table" "$scratch/named" "$scratch/folders"
finish
