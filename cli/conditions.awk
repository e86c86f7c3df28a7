# Writes a row of C, {"N7 two-buffers", "text"}, for each section of passes/inplace/CONDITIONS.md that has a code, without
# the paragraph of its tests.
function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\\n\""
}
function finish_row() {
    if (open) print "},"
    open = 0
}
/^##/ {
    finish_row()
    tests = blanks = 0
    if ($0 !~ /^### [A-Z][0-9]+ /) next
    title = substr($0, 5)
    printf "{\"%s\"", title
    printf ","
    open = 1
    next
}
!open { next }
/^Tests:/ { tests = 1 }
/^$/ { tests = 0; blanks++; next }
tests { next }
{
    for (; blanks > 0; blanks--) print "\"\\n\""
    print quoted($0)
}
END { finish_row() }
