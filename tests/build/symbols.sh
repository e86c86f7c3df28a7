#!/bin/sh
# What the public headers declare against the list in tests/build/symbols.txt.
# usage: symbols.sh list HEADER...                          prints the declarations, one a line
#        symbols.sh check FILE SONAME VERSION HEADER...     says what is wrong with the list, or with SONAME and VERSION
#        symbols.sh update FILE SONAME VERSION HEADER...    brings the list up to date, unless the rule is broken
#        symbols.sh base FILE SONAME VERSION HEADER...      makes what there is the base: at a release
# The rule stands at the top of the list. A function is listed as it is declared, a type by its name and a number that
# changes with its text; constants of the preprocessor, inline functions and the kinds of operations are not listed.
set -u
LC_ALL=C
export LC_ALL

list() { # HEADER...
    cat "$@" | awk '
        # Without the preprocessor, comments, and the braces of extern "C".
        /^[ \t]*#/ { while (/\\$/) getline; next }
        /^extern "C" \{$/ || /^\}$/ && outer == 0 && text ~ /^ *$/ { next }
        {
            line = $0
            while (inside || match(line, /\/\*/)) {
                if (!inside) { at = RSTART; take(substr(line, 1, at - 1)); line = substr(line, at + 2); inside = 1 }
                if (!match(line, /\*\//)) { line = ""; break }
                line = substr(line, RSTART + 2); inside = 0
            }
            if (!inside) take(line)
        }
        function take(line, i, c) {
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                text = text c
                if (c == "{") outer++
                if (c == "}") outer--
                if (outer == 0 && (c == ";" || (c == "}" && text ~ /^ *static/))) { say(); text = "" }
            }
            text = text " "
        }
        function number(s, i, h) {
            for (i = 1; i <= length(s); i++) h = (h * 31 + code[substr(s, i, 1)]) % 4294967291
            return sprintf("%010.0f", h)
        }
        # Parameters may be called otherwise.
        function nameless(s, part, n, i, head) {
            if (s ~ /\(void\)$/) return s
            head = s
            sub(/\(.*/, "(", head)
            n = split(substr(s, length(head) + 1), part, /, |\)$/)
            for (i = 1; i < n; i++) {
                if (part[i] != "...") sub(/ ?[A-Za-z_0-9]+$/, "", part[i])
                head = head (i > 1 ? ", " : "") part[i]
            }
            return head ")"
        }
        function say(s, name) {
            s = text
            gsub(/[ \t]+/, " ", s); sub(/^ /, "", s); sub(/ ?;$/, "", s)
            if (s ~ /^static/ || s == "" ) return
            if (sub(/^INLAY_API /, "", s)) { sub(/ INLAY_PRINTF\(.*/, "", s); print nameless(s); return }
            if (s !~ /[{(]/) return
            name = s
            if (name ~ /^typedef.*\}/) sub(/.*\} ?/, "", name)
            else if (name ~ /^typedef/) { sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
            else if (name ~ /^enum \{/) { sub(/^enum \{ */, "", name); sub(/[ ,=}].*/, "", name); name = "enum of " name }
            else sub(/ ?\{.*/, "", name)
            print "type " name " " number(s)
        }
        BEGIN { for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i }' | by_name
}

# Lines in the order of the names they declare.
by_name() {
    awk '{
        name = $0
        if (match(name, /inlay_[a-z0-9_]+\(/)) name = substr(name, RSTART, RLENGTH - 1)
        else sub(/.*type (struct |enum (of )?)?/, "", name)
        print name "\t" $0
    }' | sort -u | cut -f 2-
}

# Prints the list as it must be, and to standard error how the rule is broken, which is the status.
judge() { # FILE SONAME VERSION HEADER...
    file=$1 soname=$2 version=$3
    shift 3
    grep -E '^(#|base )' "$file"
    list "$@" | judge_list
}

judge_list() {
    status=$(mktemp)
    awk -v soname="$soname" -v version="$version" -v file="$file" -v status="$status" '
        function minor(v, part) { split(v, part, "."); return part[1] * 1000 + part[2] }
        BEGIN {
            while ((getline line <file) > 0) {
                if (line ~ /^base /) { split(line, part, " "); old = part[2]; since = part[3] }
                else if (line ~ /^[ -] /) was[substr(line, 3)] = 1
            }
        }
        { is[$0] = 1 }
        END {
            for (d in is) print (d in was ? "  " : "+ ") d
            for (d in was) if (!(d in is)) print "- " d
            for (d in is) if (!(d in was)) more = more "\n  " d
            for (d in was) if (!(d in is)) less = less "\n  " d
            if (less != "" && soname == old) {
                print "gone or changed since " old " " since ", so SONAME in the Makefile must be another:" less >"/dev/stderr"
                print "broken" >status
            }
            if (more != "" && soname == old && minor(version) <= minor(since)) {
                print "new since " since ", so INLAY_VERSION_MINOR in ir/version.h must grow:" more >"/dev/stderr"
                print "broken" >status
            }
        }' | by_name
    [ -s "$status" ]
    broken=$?
    rm -f "$status"
    [ "$broken" != 0 ]
}

what=$1
shift
case $what in
list) list "$@" ;;
check)
    wanted=$(mktemp)
    broken=0
    judge "$@" >"$wanted" || broken=1
    if [ "$broken" = 0 ] && ! diff "$1" "$wanted"; then
        echo "the list is not what the headers declare: run \`make symbols\`"
        broken=1
    fi
    rm -f "$wanted"
    exit $broken
    ;;
update)
    judge "$@" >"$1.new" && mv "$1.new" "$1" && exit
    rm -f "$1.new"
    exit 1
    ;;
base)
    file=$1 soname=$2 version=$3
    shift 3
    { grep '^#' "$file"; echo "base $soname $version"; list "$@" | sed 's/^/  /'; } >"$file.new" && mv "$file.new" "$file"
    ;;
esac
