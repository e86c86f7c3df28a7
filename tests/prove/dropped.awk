# Of the rules that promise a tolerance: each without one of its conditions, as the rule NAME-without-A, with a line "// NAME-without-A
# CONDITION" before it.
function end_clause() {
    sub(/^[ \n]+/, "", clause)
    sub(/[ \n]+$/, "", clause)
    if (clause != "") clauses[++n] = clause
    clause = ""
}
function end_rule(   at, i, skip, c, depth, left, condition, new) {
    at = index(text, "\n  where ")
    n = 0
    for (i = at ? at + 9 : length(text) + 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "(" || c == "[") - (c == ")" || c == "]")
        if (c == "," && depth == 0) end_clause()
        else clause = clause c
    }
    end_clause()
    for (skip = 1; skip <= n; skip++) {
        if (clauses[skip] ~ /^let /) continue
        left = ""
        for (i = 1; i <= n; i++)
            if (i != skip) left = left (left == "" ? "  where " : ", ") clauses[i]
        condition = clauses[skip]
        sub(/\(.*/, "", condition)
        new = name "-without-" substr("abcdefghij", skip, 1)
        printf "// %s %s\nrule %s approx:\n%s\n%s\n\n", new, condition, new, substr(text, 1, at - 1), left
    }
    text = ""
}
/^rule / || /^\/\// || NF == 0 {
    if (text != "") end_rule()
}
/^rule / { name = $2; in_rule = $3 == "approx:"; next }
/^\/\// || NF == 0 { in_rule = 0; next }
in_rule { text = text (text == "" ? "" : "\n") $0 }
END { if (text != "") end_rule() }
