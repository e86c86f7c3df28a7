# What every subcommand says of its arguments, and its help.

$ inlay 2>&1 | head -1
usage: inlay SUBCOMMAND [options] ...

$ inlay 2>/dev/null
[2]

$ inlay --help | grep '^  run'
  run          [MODEL]  Run a model and print its outputs.

$ inlay help | head -1
usage: inlay SUBCOMMAND [options] ...

$ inlay --version | head -1
inlay 0.2.0

$ inlay help print | head -1
usage: inlay print [options] MODEL

# The conditions of writing in place, by code, by name, or both.
$ inlay help N7 | head -4
N7 two-buffers
\
An iteration that still reads the value of the previous one does not write over it: the loop alternates between two
buffers.

$ for name in n7 two-buffers 'N7 two-buffers'; do inlay help "$name" | tail -2; done
What to do: read the old value before the write, or only positions that the iteration does not write; or compute all of
the next value.
What to do: read the old value before the write, or only positions that the iteration does not write; or compute all of
the next value.
What to do: read the old value before the write, or only positions that the iteration does not write; or compute all of
the next value.

# Each that the table has has a page.
$ sed -nE 's/^(CONDITION|KEPT).*"([A-Z][0-9]+) .*/\2/p' "$ROOT/ir/graph/conditions.def" | while read -r c; do inlay help $c | grep -q '^What to do: ' || echo $c; done

$ inlay help two-bufers
inlay: error: unknown subcommand or condition "two-bufers", did you mean "two-buffers"? (see `inlay --help`, `inlay help conditions`)
[2]

$ inlay help optoins
inlay: error: unknown subcommand or condition "optoins", did you mean "options"? (see `inlay --help`, `inlay help conditions`)
[2]

$ inlay help fly
inlay: error: unknown subcommand or condition "fly" (see `inlay --help`, `inlay help conditions`)
[2]

$ inlay verfiy a.xml b.xml
inlay: error: unknown subcommand "verfiy", did you mean "verify"? (see `inlay --help`)
[2]

$ inlay help prnt
inlay: error: unknown subcommand or condition "prnt", did you mean "print"? (see `inlay --help`, `inlay help conditions`)
[2]

$ inlay PRUNT
inlay: error: unknown subcommand "PRUNT", did you mean "print"? (see `inlay --help`)
[2]

$ inlay --verison
inlay: error: unknown subcommand "--verison", did you mean "--version"? (see `inlay --help`)
[2]

$ inlay run --expct=a a.xml
inlay run: error: unknown option --expct, did you mean "--expect"? (see `inlay run --help`)
[2]

$ inlay passes --hepl
inlay passes: error: unknown option --hepl, did you mean "--help"? (see `inlay passes --help`)
[2]

$ inlay opt "$ROOT/models/window/window.inlay" --passes fold-constnats
inlay: error: there is no pass or pipeline "fold-constnats", did you mean "fold-constants"?
[2]

$ inlay opt "$ROOT/models/window/window.inlay" --passes defualt
inlay: error: there is no pass or pipeline "defualt", did you mean "default"?
[2]

$ inlay opt "$ROOT/models/window/window.inlay" --disable eliminate-comon
inlay: error: there is no pass "eliminate-comon" to disable, did you mean "eliminate-common"?
[2]

$ inlay opt a.xml --print-after eliminate-comon
inlay opt: error: option --print-after is "eliminate-comon", it must be all, a pass, or the number of an application, did you mean "eliminate-common"? (see `inlay opt --help`)
[2]

$ printf 'rule r exact:\n  Slice(x, window w) => x where ful(w)\n' >r.rules; inlay rules --rules r.rules
r.rules:2: error: rule r: there is no condition or function `ful`, did you mean "full"?
[2]

# A model alone is looked at.

$ inlay "$ROOT/models/window/window.inlay" | head -1
$ROOT/models/window/window.inlay: window

$ cp "$ROOT/models/window/window.inlay" plain; inlay plain --json | head -2
{
  "name": "window",

$ inlay missing.xml
missing.xml: error: cannot open: No such file or directory
[2]

$ inlay fly
inlay: error: unknown subcommand "fly" (see `inlay --help`)
[2]

# The example that --help shows works in the repository; that of prove asks for z3.
$ for c in $(inlay --help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
>     [ $c != prove ] || command -v z3 >/dev/null || continue
>     example=$(inlay $c --help | sed -n '/^example:/{n;s/^ *//p;}')
>     case $example in "inlay $c"*) ;; *) echo "$c: no example" ;; esac
>     (cd "$ROOT" && sh -c "$example" >/dev/null) || echo "$c: the example does not work"
> done

$ rm /tmp/smaller.xml /tmp/smaller.bin /tmp/digits.json /tmp/digits.json.bin

$ inlay print --help
usage: inlay print [options] MODEL
\
Print a model's graph as readable text, or for Graphviz.
\
options:
  --full                   print all that the graph holds, so that the text can be read back
  --dot                    print the graph for Graphviz's dot
  --provenance             say of each node where it stands in the file
  --help                   print this text
\
options that many commands take (`inlay help options` explains them):
  --weights FILE, --follow-links, --no-mmap, --dim NAME=SIZE, --extension FILE.so, --allow-unknown,
  --shape NAME=DIMS, --max-memory BYTES (3/4 of the machine)
\
options that every command takes (`inlay help options` explains them):
  --verbose, --log FILE, --color auto|always|never (auto), --max-time SECONDS (no limit)
\
example:
  inlay print models/digits/digits.xml

$ inlay opt -h | grep -A 1 -- '--explain'
  --explain[=json]         say of each scatter whether it writes in place, why not, and what is
                           copied; json: as JSON

# An option that three commands or more take is explained once, and each of them names it.
$ cat >parts <<'END'
> own() { inlay help $1 | sed -n '/^options:/,/^$/s/^  \(-[-a-z]*\).*/\1/p'; }
> named() { inlay help $1 | sed -n '/^options that [me]/,/^$/{/^ /p;}' | grep -oE '(^|[ ,])-[-a-z]+' | tr -d ' ,' | sort -u; }
> commands=$(inlay --help | sed -n 's/^  \([a-z-]*\) .*/\1/p')
> END

$ . ./parts; for c in $commands; do own $c; done | sort | uniq -c | awk '$1 > 2 && $2 != "--help"'

$ . ./parts; for c in $commands; do named $c; done | sort -u >mentioned
> inlay help options | sed -n 's/^  \(-[-a-z]*\).*/\1/p' | sort >explained
> comm -3 mentioned explained

$ whole() { sed -n 's/^  \(-[-a-z]*\( [A-Z][^ ]*\)*\)  .*/\1/p'; }
> . ./parts; inlay help options | whole >explained
> for c in $commands; do inlay help $c | sed -n '/^options:/,/^$/p' | whole | grep -Fx -f explained; done; true

# Older names go on working.
$ inlay opt "$ROOT/models/window/window.inlay" --stats 2>&1 >/dev/null | grep -c changes; inlay bench --nthreads x m.xml
24
inlay bench: error: option --threads is "x", it must be a whole number from 0 to 1024 (see `inlay bench --help`)
[2]
$ inlay opt "$ROOT/models/window/window.inlay" --json | head -2
[
  {

$ inlay ops --help | head -1
usage: inlay ops [options]

$ for c in run opt convert verify info print ops passes rules; do
>     inlay $c --bogus
>     echo $?
> done
inlay run: error: unknown option --bogus (see `inlay run --help`)
2
inlay opt: error: unknown option --bogus (see `inlay opt --help`)
2
inlay convert: error: unknown option --bogus (see `inlay convert --help`)
2
inlay verify: error: unknown option --bogus (see `inlay verify --help`)
2
inlay info: error: unknown option --bogus (see `inlay info --help`)
2
inlay print: error: unknown option --bogus (see `inlay print --help`)
2
inlay ops: error: unknown option --bogus (see `inlay ops --help`)
2
inlay passes: error: unknown option --bogus (see `inlay passes --help`)
2
inlay rules: error: unknown option --bogus (see `inlay rules --help`)
2

$ for c in run opt convert verify info print; do
>     inlay $c
>     echo $?
> done
inlay run: error: MODEL is missing (see `inlay run --help`)
2
inlay opt: error: MODEL is missing (see `inlay opt --help`)
2
inlay convert: error: IN OUT are missing (see `inlay convert --help`)
2
inlay verify: error: A B are missing (see `inlay verify --help`)
2
inlay info: error: MODEL is missing (see `inlay info --help`)
2
inlay print: error: MODEL is missing (see `inlay print --help`)
2

$ inlay convert a.json
inlay convert: error: IN OUT are expected, there is only "a.json" (see `inlay convert --help`)
[2]

$ inlay ops everything
inlay ops: error: unexpected argument "everything" (see `inlay ops --help`)
[2]

$ inlay info a.json b.json
inlay info: error: unexpected argument "b.json" (see `inlay info --help`)
[2]

$ inlay info --json=yes a.json
inlay info: error: option --json takes no value (see `inlay info --help`)
[2]

$ inlay info --json a.json --weights
inlay info: error: option --weights needs a value: FILE (see `inlay info --help`)
[2]

$ inlay info -- --json
--json: error: cannot open: No such file or directory
[2]

# Values of options.
$ inlay run m.json --threads two
inlay run: error: option --threads is "two", it must be a whole number from 0 to 1024 (see `inlay run --help`)
[2]

$ inlay run m.json --threads=-1
inlay run: error: option --threads is "-1", it must be a whole number from 0 to 1024 (see `inlay run --help`)
[2]

$ inlay run m.json --threads 1025
inlay run: error: option --threads is "1025", it must be a whole number from 0 to 1024 (see `inlay run --help`)
[2]

$ inlay bench m.json --threads 99999999999999999999
inlay bench: error: option --threads is "99999999999999999999", it must be a whole number from 0 to 1024 (see `inlay bench --help`)
[2]

$ inlay run m.json --repeat 0
inlay run: error: option --repeat is "0", it must be a whole number from 1 to 2^63-1 (see `inlay run --help`)
[2]

$ inlay run m.json --repeat 99999999999999999999
inlay run: error: option --repeat is "99999999999999999999", it must be a whole number from 1 to 2^63-1 (see `inlay run --help`)
[2]

$ inlay run m.json --rtol much
inlay run: error: option --rtol is "much", it must be a number of at least 0 (see `inlay run --help`)
[2]

$ inlay run m.json --atol -1
inlay run: error: option --atol is "-1", it must be a number of at least 0 (see `inlay run --help`)
[2]

$ inlay run m.json --max-memory 5X
inlay run: error: option --max-memory is "5X", it must be a number of bytes such as 512M (see `inlay run --help`)
[2]

$ inlay run m.json --max-memory 99999999999T
inlay run: error: option --max-memory is "99999999999T", it must be a number of bytes such as 512M (see `inlay run --help`)
[2]

$ inlay run m.json --exec fast
inlay run: error: option --exec is "fast", it must be planned or reference (see `inlay run --help`)
[2]

$ inlay opt m.json --ir-version 9
inlay opt: error: option --ir-version is "9", it must be 10 or 11 (see `inlay opt --help`)
[2]

$ inlay opt m.json --explain=xml
inlay opt: error: option --explain is "xml", it must be json or nothing (see `inlay opt --help`)
[2]

$ inlay convert m.json m.xml --ir-version 12
inlay convert: error: option --ir-version is "12", it must be 10 or 11 (see `inlay convert --help`)
[2]

$ inlay verify a.json b.json --trials 0
inlay verify: error: option --trials is "0", it must be a whole number from 1 to 2^63-1 (see `inlay verify --help`)
[2]

$ inlay verify a.json b.json --seed x
inlay verify: error: option --seed is "x", it must be a whole number from 0 to 2^63-1 (see `inlay verify --help`)
[2]

$ inlay verify a.json b.json --ulp -1
inlay verify: error: option --ulp is "-1", it must be a whole number from 0 to 2^63-1 (see `inlay verify --help`)
[2]

$ inlay verify a.json b.json --rtol ''
inlay verify: error: option --rtol is "", it must be a number of at least 0 (see `inlay verify --help`)
[2]

$ inlay verify a.json b.json --atol nan
inlay verify: error: option --atol is "nan", it must be a number of at least 0 (see `inlay verify --help`)
[2]

$ inlay passes >/dev/full
inlay: error: standard output could not be written
[3]

$ inlay ops --json >/dev/full
inlay: error: standard output could not be written
[3]
