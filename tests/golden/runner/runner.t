# The runner's own test: what each kind of line means.

$ echo one; echo two >&2
one
two

# Files stay from command to command; the shell does not.
$ echo kept >file; x=1
$ cat file; echo "x=$x"
kept
x=

$ exit 3
[3]

$ echo "pid $$ of many"
pid * of ?any (glob)

# Lines that would mean something else stand behind a backslash.
$ printf '\n$ dollar\n# hash\n[4]\n\\back\na (glob)\n> more\n'
\
\$ dollar
\# hash
\[4]
\\back
\a (glob)
\> more

$ for i in 1 2
> do
>     echo "$i"
> done
1
2

$ printf 'no newline'
no newline (no-eol)

$ echo "$ROOT/ir"
$ROOT/ir

$ kill -9 $$
[137]
