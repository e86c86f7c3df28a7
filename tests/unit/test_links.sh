#!/bin/sh
# Links of the pages lead somewhere, to a heading too where they name one; files that the pages for users name are there;
# README.md and docs/ are as short as they are meant to be.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
pages=$( (git ls-files -co --exclude-standard '*.md' 2>/dev/null || find . -name '*.md' | sed 's|^\./||') |
    grep -v '^build/' | sort)

# A heading as links name it: in small letters, without punctuation, `-` for a blank.
anchors() { # PAGE
    awk '/^```/ { code = !code; next } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# PAGE TARGET for each link that is no address of the web, code left out.
# shellcheck disable=SC2086
awk '
    FNR == 1 { code = 0 }
    /^ *```/ { code = !code; next }
    code || /^    / { next }
    {
        gsub(/`[^`]*`/, "")
        while (match($0, /\]\([^)]*\)/)) {
            target = substr($0, RSTART + 2, RLENGTH - 3)
            if (target !~ /^[a-z]+:/) print FILENAME, target
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' $pages >"$scratch/links"
while read -r page target; do
    file=${target%%#*}
    path=$page
    [ -z "$file" ] || path=$(dirname "$page")/$file
    if ! [ -e "$path" ]; then
        echo "$page: $target: there is no such file"
    elif [ "$target" != "$file" ] && ! anchors "$path" | grep -qFx -- "${target#*#}"; then
        echo "$page: $target: there is no such heading"
    fi
done <"$scratch/links" >"$scratch/broken"
: >"$scratch/none"
same "$(wc -l <"$scratch/links") links lead somewhere" "$scratch/none" "$scratch/broken"

# Paths between backticks, from the root of the checkout. A line that begins with one says where a block of code goes.
for page in README.md CONTRIBUTING.md ARCHITECTURE.md docs/*.md bench/README.md; do
    awk '/^```/ { code = !code; next } !code && !/^(    |`)/' "$page" | grep -oE '`[a-z_]+/[A-Za-z0-9_./-]+`' | tr -d '`' |
        sort -u | while read -r path; do
        case $path in
        build/* | path/*) ;;
        *) [ -e "$path" ] || echo "$page: $path" ;;
        esac
    done
done >"$scratch/lost"
same "files that pages name are there" "$scratch/none" "$scratch/lost"

at_most() { # LIMIT COUNT WHAT
    if [ "$2" -le "$1" ]; then pass "$3: $1 at most"; else fail "$3: $1 at most" "there are $2"; fi
}
at_most 200 "$(wc -l <README.md)" "lines of README.md"
at_most 12000 "$(cat docs/*.md | wc -w)" "words of docs/"
for page in docs/*.md; do
    grep -qF "($page)" README.md || echo "$page"
done >"$scratch/unlinked"
same "README.md leads to each page of docs/" "$scratch/none" "$scratch/unlinked"
finish
