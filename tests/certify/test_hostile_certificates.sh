#!/bin/sh
# Files that were made to break inlay-check: each ends with a verdict or one message, soon, and names reach no terminal
# as they are.
set -u
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the checker gives no memory back
n=20000

# Each of N lines by FORMAT, of the numbers I and I + 1.
lines() { # FORMAT
    awk -v n="$n" -v format="$1\n" 'BEGIN { for (i = 0; i < n; i++) printf format, i, i + 1, i }'
}
graph() { # LINES
    printf 'graph "g" {\n  %%x = Parameter-1 {element_type = i64, shape = [4]} : i64[4]\n'
    printf '  %%c = Const-1 {value = i64[] 0} : i64[]\n  %%g0 = Abs-1(%%x) : i64[4]\n%s\n}\n' "$1"
}
ends() { # NAME STATUS WORDS MODEL CERTIFICATE
    timeout 100 "$BUILD/inlay-check" "$4" "$4" "$5" >said 2>&1
    status=$?
    if [ $status != "$2" ] || ! grep -qF -- "$3" said; then
        fail "$1" "status $status: $(head -c 1000 said)"
    elif LC_ALL=C grep -q '[^ -~]' said; then
        fail "$1: control characters" "$(head -c 1000 said | cat -v)"
    else
        pass "$1"
    fi
}

echo 'certificate 1' >none
graph '  %r = Result-1(%x)' >plain
graph '  %l = If-8(%x)
    body "then" {
    }
    in' >rim
ends "a port map ends with the file" 0 accepted rim none

# What is computed from what is computed before is looked at from the end.
graph "$(lines '  %%g%d = Gather-8(%%x, %%g%d, %%c) : i64[4]' | awk '{ sub(/g[0-9]+ =/, "g" NR " ="); sub(/%g[0-9]+,/, "%g" NR - 1 ","); print }')" >chain
printf 'certificate 1\nstep 1 %%p\n+ %%g%d = Gather-8(%%x, %%g%d, %%x) : i64[4]\n' "$n" $((n - 1)) >last
ends "indices of indices" 1 "is not the same in OUT" chain last
graph "$(lines '  %%v%d = Abs-1(%%x) : i64[4] into %%v%d')
  %v$n = Abs-1(%x) : i64[4]" >windows
ends "windows of windows" 0 "where its elements lie cannot be told" windows none
graph "$(lines '  %%a%d:65536 = X-1(%%x)')" >outputs
ends "outputs without number" 1 "is not the same in OUT" outputs none
lines '+ %%n%d = Abs-1(%%n%d)' >new
{ printf 'certificate 1\nstep 1 %%p\n' && cat new && echo "+ %n$n = Abs-1(%x)"; } >backwards
ends "names that wait for the next" 1 "which is not there" plain backwards

# A few bytes that are a thousand million when they are unpacked.
{ printf 'packed 1\n\357\377\377\177' && head -c 60 /dev/zero; } >large
ends "a packed certificate is far too long" 2 "the certificate is too long" plain large

# A colour, an end of line, the CSI of one character, the direction of text.
red=$(printf '\033[31mred\007\nnot accepted: \302\233\342\200\256')
printf 'certificate 1\nstep 1 %%"%s"\n@ %%"%s" 0 %%x\n' "$red" "$red" >names
timeout 100 "$BUILD/inlay-check" plain plain names >said 2>&1
if [ $? = 1 ] && [ "$(wc -l <said)" = 1 ] && ! LC_ALL=C grep -q '[^ -~]' said && grep -qF '\x1b[31mred\x07\x0anot' said; then
    pass "names are shown"
else
    fail "names are shown" "$(cat -v said)"
fi
printf 'certificate 1\nstep 1 %%p\n- %s\n' "$red" >words
ends "words are shown" 2 'found' plain words
echo 'rule ' >short.rules
works "a rule without a name" "$BUILD/inlay-check" --rules short.rules plain plain none
finish
