# Reads rules and writes some of them to DIR, each without one of its conditions: SHARE of 1000, which SEED chooses.
# Such a rule may be right still; a proof of a wrong one is a fault of the encoder.
function next_number() {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return int(seed / 65536)
}

# The conditions of TEXT, in part[1..]; how many.
function split_conditions(text,    n, i, depth, ch) {
    n = 1
    part[1] = ""
    for (i = 1; i <= length(text); i++) {
        ch = substr(text, i, 1)
        depth += (index("([{", ch) > 0) - (index(")]}", ch) > 0)
        if (ch == "," && depth == 0)
            part[++n] = ""
        else
            part[n] = part[n] ch
    }
    return n
}

function write_mutants(    at, n, i, k, file, rest) {
    at = match(rule, /[ \n]where /)
    n = at ? split_conditions(substr(rule, at + 7)) : 0
    for (i = 1; i <= n; i++) {
        if (part[i] ~ /^[ \n]*let / || next_number() % 1000 >= share)
            continue
        rest = ""
        for (k = 1; k <= n; k++)
            rest = rest (k == i ? "" : (rest == "" ? "\n  where " : ",") part[k])
        file = dir "/" name "-" i ".rules"
        print substr(rule, 1, at - 1) rest >file
        close(file)
    }
    rule = ""
}

/^rule / { write_mutants(); name = $2 }
{ sub(/\/\/.*/, "") }
/^rule / || (rule != "" && NF > 0) { rule = rule (rule == "" ? "" : "\n") $0 }
END { write_mutants() }
