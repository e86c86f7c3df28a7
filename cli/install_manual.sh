#!/bin/sh
# Installs manual pages, completions and the pages of docs/. usage: cli/install_manual.sh INLAY SHARE [VENDOR]
# INLAY is the command that was built, SHARE the folder share/ of the prefix; VENDOR is set where the prefix is the
# system's, whose zsh looks elsewhere.
set -eu
inlay=$1 share=$2
folder=$(dirname "$0")
root=$folder/..
version=$(sed -n 's/^#define INLAY_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$root/ir/version.h" | paste -s -d .)

install -d "$share/man/man1" "$share/man/man3" "$share/man/man5" "$share/doc/inlay/docs"
page() { # NAME SECTION ABOUT FILE...
    name=$1 section=$2 about=$3
    shift 3
    cat "$@" | awk -v name="$name" -v section="$section" -v version="$version" -v about="$about" \
        -f "$folder/manual.awk" >"$share/man/man$section/$name.$section"
}
page inlay-rules 5 'rewrite rules' "$root/passes/rules/README.md"
page inlay-text 5 'the text form of graphs' "$root/ir/text/TEXT.md"
{
    cat "$root/docs/formats.md"
    printf '\n## Schema of the JSON graph\n\n```\n'
    cat "$root/models/graph.schema.json"
    printf '```\n'
} >"$share/json.tmp"
page inlay-json 5 'the JSON graph, and other formats' "$share/json.tmp"
rm "$share/json.tmp"
page inlay-check 1 'check what an optimiser says that it did' "$root/docs/certify.md"
page libinlay 3 'read, rewrite, compare and run tensor programs from C' "$root/docs/embed.md"

install -m 644 "$root/README.md" "$root/passes/inplace/CONDITIONS.md" "$root/passes/rules/CATALOGUE.md" \
    "$root/ir/OPERATIONS.md" "$share/doc/inlay/"
install -m 644 "$root"/docs/*.md "$root"/docs/*.svg "$share/doc/inlay/docs/"

# The command says the rest, where it runs: not where it was built for another machine.
if ! "$inlay" --version >/dev/null 2>&1; then
    echo "install: $inlay does not run here, so its manual pages and completions are left out"
    exit
fi
"$inlay" --help=man >"$share/man/man1/inlay.1"
"$inlay" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | while read -r command; do
    "$inlay" "$command" --help=man >"$share/man/man1/inlay-$command.1"
done
zsh=site-functions
[ -z "${3:-}" ] || zsh=vendor-completions
install -d "$share/bash-completion/completions" "$share/zsh/$zsh" "$share/fish/vendor_completions.d"
"$inlay" --help=bash >"$share/bash-completion/completions/inlay"
"$inlay" --help=zsh >"$share/zsh/$zsh/_inlay"
"$inlay" --help=fish >"$share/fish/vendor_completions.d/inlay.fish"
