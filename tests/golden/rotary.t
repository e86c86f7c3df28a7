# A rotary embedding as exporters of language models write it: its halves are computed where they belong, in one
# group. Without pass fuse the first half is copied, and a product has memory of its own.

$ inlay plan "$ROOT/tests/rules/rotary/yes_plain.inlay" | grep -E "group|copied|peak"
     2 fused      "Multiply" (Multiply-1), group 1
     5 fused      "Multiply_2" (Multiply-1), group 1
     6 fused      "Subtract" (Subtract-1), group 1
     8 fused      "Multiply_3" (Multiply-1), group 1
    10 fused      "Multiply_4" (Multiply-1), group 1
    11 fused      "Add" (Add-1), group 1
copied: 0 bytes a run
peak: 32 bytes

$ inlay plan "$ROOT/tests/rules/rotary/yes_plain.inlay" --disable fuse | grep -E "copied|peak"
copied: 16 bytes a run
peak: 160 bytes

$ inlay plan "$ROOT/tests/rules/rotary-by-minus-one/yes_axes.inlay" | grep -E "copied|peak"
copied: 0 bytes a run
peak: 32 bytes

$ inlay verify "$ROOT/tests/rules/rotary/yes_plain.inlay" "$ROOT/tests/rules/rotary-by-minus-one/yes_plain.inlay"
same: 64 of 64 trials counted

