#!/bin/sh
# The manual pages and completions that `make install` installs have the options that --help prints, and read well.
PATH=${BUILD:?}:$PATH
. "$ROOT/tests/tap.sh"
share=$scratch/share
works "they are installed" sh "$ROOT/cli/install_manual.sh" "$BUILD/inlay" "$share"

commands=$(inlay --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
# Prints the options of a subcommand, as --help names them and as its page does.
helped() { # SUBCOMMAND
    inlay "$1" --help | grep '^  -' | grep -oE '(^  |, )-[-a-z0-9]+' | tr -d ' ,' | grep -vx -e --help | sort
}
paged() { # SUBCOMMAND
    sed -n '/^[.]TP/{n;s/^\\fB\([-a-z0-9\\]*\)\\fR.*/\1/p;}' "$share/man/man1/inlay-$1.1" | sed 's/\\//g' | grep '^-' | sort
}
completed() { # SUBCOMMAND
    sed -n "s/^        $1) found=(\(-.*\)) ;;/\1/p" "$share/bash-completion/completions/inlay" | tr ' ' '\n' | grep -vx -e --help | sort
}
for command in $commands; do
    helped "$command" | sed "s/^/$command /"
done >"$scratch/helped"
for command in $commands; do
    paged "$command" | sed "s/^/$command /"
done >"$scratch/paged"
for command in $commands; do
    completed "$command" | sed "s/^/$command /"
done >"$scratch/completed"
same "pages have the options of --help" "$scratch/helped" "$scratch/paged"
same "the completion has the options of --help" "$scratch/helped" "$scratch/completed"
if [ "$(wc -l <"$scratch/helped")" -gt 200 ]; then pass "there are many"; else fail "there are many"; fi

sed -n "s/^complete.*from \([a-z-]*\)' -[lo] \([^ ]*\) .*/\1 \2/p" "$share/fish/vendor_completions.d/inlay.fish" | sort >"$scratch/fish"
sed 's/ --*/ /' "$scratch/helped" | sort >"$scratch/expected"
same "so has that of fish" "$scratch/expected" "$scratch/fish"
grep ') found=(' "$share/zsh/site-functions/_inlay" | tr -d ' ' | sort >"$scratch/zsh"
grep ') found=(' "$share/bash-completion/completions/inlay" | tr -d ' ' | sort >"$scratch/bash"
same "so has that of zsh" "$scratch/bash" "$scratch/zsh"

if bash --version >/dev/null 2>&1; then
    # shellcheck disable=SC2016
    bash -c '. "$0"; COMP_WORDS=(inlay run --qui); COMP_CWORD=2; _inlay; echo "${COMPREPLY[*]}"
        COMP_WORDS=(inlay veri); COMP_CWORD=1; _inlay; echo "${COMPREPLY[*]}"' \
        "$share/bash-completion/completions/inlay" >"$scratch/actual" 2>&1
    printf -- '--quiet\nverify\n' >"$scratch/expected"
    same "bash completes" "$scratch/expected" "$scratch/actual"
else
    skip "bash completes" "there is no bash"
fi

if groff --version >/dev/null 2>&1; then
    for page in "$share"/man/man*/*; do
        groff -man -ww -Tutf8 "$page" 2>&1 >/dev/null | sed "s|^|$(basename "$page"): |"
    done >"$scratch/warnings"
    : >"$scratch/none"
    same "no page has a warning" "$scratch/none" "$scratch/warnings"
else
    skip "no page has a warning" "there is no groff"
fi
finish
