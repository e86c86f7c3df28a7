#!/bin/sh
# Includes point down: cli, front -> parser, passes, interp, generate -> ir; siblings never include each other, and of another folder only
# its public header may be included: the one of its name, of ir/ those that lie in the folder itself. Among these is
# ir/shared.h, which is not public: cli/ may not include it.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

# Prints FILE:LINE: what is wrong with it, for each include that breaks the rule.
check_includes() {
    git ls-files -co --exclude-standard '*.c' '*.h' '*.inc' '*.def' | grep -E '^[a-z]+/' |
        xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' | awk -F: '
        BEGIN {
            down["ir"] = " ir "
            down["parser"] = " parser ir "
            down["passes"] = " passes ir "
            down["interp"] = " interp ir "
            down["generate"] = " generate ir "
            down["front"] = " front parser passes interp ir "
            down["cli"] = " cli front parser passes interp generate ir "
            public["inlay_ops.h"] = public["inlay_kinds.h"] = public["op_table.inc"] = "ir"
        }
        {
            split($1, path, "/")
            from = path[1]
            if (!(from in down)) next
            split($3, quoted, "\"")
            included = quoted[2]
            slashes = split(included, part, "/")
            to = slashes > 1 ? part[1] : (included in public ? public[included] : from)
            # Beside the file: "internal.h", or "infer/x.h" seen from its own folder.
            if (slashes > 1 && !(to in down)) to = from
            place = $1 ":" $2 ": includes \"" included "\": "
            if (included ~ /\.\./) print place "a path may not climb"
            else if (index(down[from], " " to " ") == 0) print place from " may not include " to
            else if (to != from && slashes > 1 && included != to "/" to ".h" && (included !~ /^ir\/[a-z]+\.h$/ || (included == "ir/shared.h" && from == "cli")) &&
                     !(included == "ir/ops/ops.def" && from == "interp") && !(included == "ir/base/table.h" && from == "passes"))
                print place "private to " to
            else if (included == "op_table.inc" && from != "ir") print place "private to ir"
        }'
}

wrong=$(check_includes)
if [ -z "$wrong" ]; then pass "every include points down"; else fail "every include points down" "$wrong"; fi

# A new operation changes inlay_ops.h: the fewer include it, the less is compiled anew.
git ls-files -co --exclude-standard 'ir/*.[ch]' 'parser/*.[ch]' 'passes/*.[ch]' 'interp/*.[ch]' 'generate/*.[ch]' \
    'front/*.[ch]' 'cli/*.[ch]' | xargs grep -lE '^#include "(inlay_ops.h|op_table.inc|inlay.h)"' >"$scratch/kinds"
if [ "$(wc -l <"$scratch/kinds")" -le 58 ] && ! grep '[.]h$' "$scratch/kinds"; then
    pass "no header and few files include the kinds of all operations"
else
    fail "no header and few files include the kinds of all operations" "$(cat "$scratch/kinds")"
fi

# The check must be able to fail: a tree with one offence of each kind.
cd "$scratch" && git init -q tree && cd tree && mkdir -p ir interp/kernels parser cli tests
echo '#include "interp/interp.h"' >ir/up.c
echo '#include "passes/passes.h"' >parser/sibling.c
echo '#include "interp/call/kernel.h"' >cli/private.c
echo '#include "ir/graph/graph.h"' >parser/private.c
echo '#include "../ir/ir.h"' >cli/climb.c
echo '#include "ir/shared.h"' >cli/shared.c
echo '#include "op_table.inc"' >parser/table.c
printf '#include "ir/ir.h"\n#include "ir/shared.h"\n#include "ir/graph.h"\n#include "ir/ops/ops.def"\n#include "interp/call/kernel.h"\n#include <stdio.h>\n' >interp/fine.c
printf '#include "kernel.h"\n#include "inlay_ops.h"\n' >interp/kernels/fine.c
printf '#include "ir/infer/infer.h"\n' >tests/fine.c
cat >"$scratch/expected" <<'END'
cli/climb.c
cli/private.c
cli/shared.c
ir/up.c
parser/private.c
parser/sibling.c
parser/table.c
END
check_includes | sed 's/:.*//' | sort >"$scratch/found"
same "an include that does not is found" "$scratch/expected" "$scratch/found"
finish
