# The page of all operations is what the table says, ir/ops/sums.md and ir/ops/elsewhere.md; `make operations` writes it.

$ (inlay ops --markdown; cat "$ROOT/ir/ops/sums.md" "$ROOT/ir/ops/elsewhere.md") | diff "$ROOT/ir/OPERATIONS.md" -
