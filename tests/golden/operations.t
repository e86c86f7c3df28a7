# The page of all operations is what the table says; `make operations` writes it.

$ inlay ops --markdown | diff "$ROOT/ir/OPERATIONS.md" -
