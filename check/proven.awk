# Rows {rule, what is proven of it, hash of its text} of the table in passes/PROVEN.md.
/^\| `/ {
    n = split($0, cell, / \| /)
    rule = cell[1]
    gsub(/[|` ]/, "", rule)
    hash = cell[n]
    gsub(/[| ]/, "", hash)
    printf "{\"%s\", \"%s\", \"%s\"},\n", rule, cell[2], hash
}
