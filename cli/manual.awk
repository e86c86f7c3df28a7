# Makes a manual page of a page of the repository. -v name=inlay-rules -v section=5 -v version=0.2.0 -v about="one line"
function plain(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s
}
# The text of links without where they lead, code and what is strong in bold.
function inline(s,    out, n, part, i) {
    s = plain(s)
    while (match(s, /\[[^\]]*\]\([^)]*\)/)) {
        out = substr(s, RSTART + 1, RLENGTH - 1)
        sub(/\]\(.*/, "", out)
        s = substr(s, 1, RSTART - 1) out substr(s, RSTART + RLENGTH)
    }
    gsub(/\*\*/, "`", s)
    n = split(s, part, "`")
    s = part[1]
    for (i = 2; i <= n; i++) s = s (i % 2 == 0 ? "\\fB" : "\\fR") part[i]
    if (n % 2 == 0 && n > 0) bold = !bold
    if (s ~ /^[.'`]/) s = "\\&" s
    return s
}
function as_is(line) {
    if (!literal) print ".nf"
    literal = 1
    line = plain(line)
    print (line ~ /^[.']/ ? "\\&" : "") line
}
function flow() {
    if (literal) print ".fi"
    literal = 0
}
BEGIN {
    printf ".TH \"%s\" %s \"\" \"Inlay %s\" \"Inlay\"\n.SH NAME\n%s \\- %s\n", toupper(name), section, version, plain(name), plain(about)
    print ".SH DESCRIPTION"
}
/^```/ { code = !code; if (!code) flow(); else print ".PP"; next }
code { as_is($0); next }
/^!\[/ || /^<!--/ { next }
/^# / { next }
/^## / { flow(); print ".SH " toupper(inline(substr($0, 4))); next }
/^###+ / { flow(); sub(/^#+ /, ""); print ".SS " inline($0); next }
/^    / || /^\|/ { as_is($0); next }
/^$/ { flow(); print ".PP"; next }
/^- / { flow(); print ".IP \\(bu 2"; print inline(substr($0, 3)); next }
{ flow(); sub(/^ +/, ""); print inline($0) }
END { flow() }
