#!/bin/sh
# The runners must be able to fail: golden files and test programs that do not do what they should.
set -u
golden=$BUILD/tests/golden
. "$ROOT/tests/tap.sh"
tree=$scratch

cat >"$tree/bad.t" <<'END'
$ printf 'one\nthree\nfour\n'
one
two
th* (glob)

$ exit 1

$ true
[1]

$ printf '\n#\n'
END

cat >"$tree/expected" <<'END'
1..4
not ok - bad.t:1: printf 'one\nthree\nfour\n'
#    one
#   -two
#    th* (glob)
#   +four
not ok - bad.t:6: exit 1
#   exit status 1, expected 0
not ok - bad.t:8: true
#   exit status 0, expected 1
not ok - bad.t:11: printf '\n#\n'
#   +
#   +#
status 1
END
(cd "$tree" && "$golden" bad.t; echo "status $?") >"$tree/actual"
same "golden shows what differs" "$tree/expected" "$tree/actual"

cat >"$tree/expected" <<'END'
$ printf 'one\nthree\nfour\n'
one
th* (glob)
four

$ exit 1
[1]

$ true

$ printf '\n#\n'
\
\#
END
(cd "$tree" && "$golden" --rebase bad.t >/dev/null)
same "rebase keeps what matches" "$tree/expected" "$tree/bad.t"

echo 'no command' >"$tree/stray.t"
echo "stray.t:1: error: output that belongs to no command" >"$tree/expected"
(cd "$tree" && "$golden" stray.t 2>"$tree/actual")
same "output before any command is refused" "$tree/expected" "$tree/actual"

mkdir -p "$tree/build/tests"
ln -s "$golden" "$tree/build/tests/golden"
run() { # NAME BODY: a shell test with that body
    echo "$2" >"$tree/$1.sh"
    BUILD=$tree/build sh "$ROOT/tests/run.sh" "$tree/$1.sh" >"$tree/actual"
    echo "status $?" >>"$tree/actual"
    sed -i "s|$tree/||" "$tree/actual"
}

run crash 'echo 1..3; echo ok - a; echo words; exit 139'
cat >"$tree/expected" <<'END'
---- crash.sh
words
not ok - crash.sh ended with status 139, 2 of its 3 tests did not run
1 passed, 2 failed
status 1
END
same "a crash counts" "$tree/expected" "$tree/actual"

run silent ':'
cat >"$tree/expected" <<'END'
---- silent.sh
not ok - silent.sh ended with status 0, no test ran
0 passed, 1 failed
status 1
END
same "a test that tests nothing counts" "$tree/expected" "$tree/actual"

run late 'echo 1..1; echo ok - a; echo "leak found"; exit 23'
cat >"$tree/expected" <<'END'
---- late.sh
leak found
not ok - late.sh ended with status 23
1 passed, 1 failed
status 1
END
same "a bad status after the last test counts" "$tree/expected" "$tree/actual"

skipping='echo 1..2; echo "ok - a # SKIP no reason"; echo "ok - b"'
INLAY_REQUIRE_SHARED='' run skip "$skipping"
cat >"$tree/expected" <<'END'
---- skip.sh
skipped: no reason
1 passed, 0 failed, 1 skipped
status 0
END
same "a skip is counted as such" "$tree/expected" "$tree/actual"

INLAY_REQUIRE_SHARED='' run reason 'echo 1..1; echo "skipped: no terminal"; echo "not ok 1 # SKIP colours"'
cat >"$tree/expected" <<'END'
---- reason.sh
skipped: colours: no terminal
0 passed, 0 failed, 1 skipped
status 0
END
same "why cmocka skips a test is told" "$tree/expected" "$tree/actual"

INLAY_REQUIRE_SHARED=1 run skip "$skipping"
cat >"$tree/expected" <<'END'
---- skip.sh
ok - a # SKIP no reason (must not be skipped here)
1 passed, 1 failed
status 1
END
same "a skip fails where nothing may be skipped" "$tree/expected" "$tree/actual"
finish
