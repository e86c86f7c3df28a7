# The page of all operations is what the table says, and ir/ops/elsewhere.md; `make operations` writes it.

$ (inlay ops --markdown; cat "$ROOT/ir/ops/elsewhere.md") | diff "$ROOT/ir/OPERATIONS.md" -
