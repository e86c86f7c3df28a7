# Rows {rule, set, what is proven of it, its text} of the tables in passes/PROVEN.md and passes/rules/*.rules.
/^\| `/ {
    split($0, cell, / \| /)
    gsub(/[|` ]/, "", cell[1])
    is[cell[1]] = cell[2]
}
function ends() { if (open) print "\", NULL},"; open = 0 }
FILENAME !~ /\.rules$/ { next }
/^rule / {
    ends()
    set = FILENAME
    gsub(/.*\/|\.rules/, "", set)
    printf "{\"%s\", \"%s\", \"%s\", \"", $2, set, ($2 in is) ? is[$2] : "unknown"
    open = 1
}
/^\/\// || NF == 0 { ends() }
open { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "%s\\n\"\n\"", $0 }
END { ends() }
