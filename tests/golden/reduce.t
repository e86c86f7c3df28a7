# `inlay reduce`: a smaller model on which a command fails alike.

$ cat >big.inlay <<'END'
> graph "big" {
>   %x = Parameter {element_type = f32, shape = [8,16]}
>   %y = Parameter {element_type = f32, shape = [8,16]}
>   %a = ReLU(%x)
>   %b = Exp(%y)
>   %c = Add(%a, %b)
>   %two = Const {value = f32[] 2}
>   %d = Multiply(%c, %two)
>   %e = Maximum(%d, %x)
>   %f = Tanh(%e)
>   %g = Subtract(%f, %a)
>   %h = Abs(%g)
>   %out = Result(%h)
>   %other = Result(%e)
> }
> END

# A wrong rule, and what is left of the graph on which bisect finds it.
$ cat >wrong.rules <<'END'
> rule maximum-turned exact:
>   Maximum(x, y) => Minimum(x, y)
> END

$ inlay reduce big.inlay --keep "inlay bisect --large --passes rules --rules wrong.rules --trials 4" --match maximum-turned | sed "s/; .*//"
// 4 nodes of 13
graph "big" {
  %x = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %d_cut = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %e = Maximum-1(%d_cut, %x) : f32[1,1]
  %reduced = Result-1(%e)
}

# The best so far is saved; {} is the file.
$ inlay reduce big.inlay --test "inlay info {} | grep Abs" --match Tanh
inlay: error: the command does not print "Tanh" for the model: inlay info {} | grep Abs
[2]

$ inlay reduce big.inlay --keep "inlay info {} | grep Tanh" --match Tanh --tries 2 -o small.xml; inlay info small.xml | grep -c Tanh
13 nodes of 13; 2 smaller graphs tried, 0 of them failed in the same way; --tries is used up
1

# What does not fail has nothing to keep.
$ inlay reduce big.inlay --keep true
inlay: error: the command succeeds on the model, so there is no failure to keep; --match TEXT keeps what it prints: true
[2]

$ inlay reduce big.inlay --keep no-such-command
inlay: error: the command cannot be run: no-such-command
[3]

# A command that hangs is ended, with all that it has started, and nothing is kept of its candidate.
$ cat >hangs.sh <<'END'
> inlay info "$1" | grep -q Tanh || { sleep 1000 & sleep 1000; }
> false
> END

$ inlay reduce big.inlay --keep "sh ./hangs.sh" --seconds 1 --tries 2 | head -1
// 13 nodes of 13; 2 smaller graphs tried, 0 of them failed in the same way; --tries is used up; on 2 the command was ended after 1 s

$ inlay reduce big.inlay --keep "sleep 1000 #" --seconds 1
inlay: error: the command did not end within 1 s (--seconds N gives it more; a hang is kept by `timeout N COMMAND`): sleep 1000 #
[3]

# What cannot be saved is said once, be it before the first candidate or later.
$ inlay reduce big.inlay --keep "inlay info {} | grep Tanh" --match Tanh -o nowhere/small.inlay
nowhere/small.inlay: error: cannot write: No such file or directory
[3]

$ inlay reduce big.inlay --keep "inlay info {} | grep Tanh" --match Tanh -o small.model
*: error: a model's name ends in .xml, .json, .onnx, .inlay or .txt (glob)
[2]

$ cat >moves.sh <<'END'
> inlay info $1 | grep Tanh
> inlay info $1 | grep -q Subtract || mv there gone 2>moved
> END

$ mkdir there

$ inlay reduce big.inlay --keep "sh ./moves.sh {}" --match Tanh -o there/small.inlay
there/small.inlay: error: cannot write: No such file or directory
[3]

# Whenever it ends, the best so far is saved: killed, it leaves a whole file, which fails alike, and nothing beside it.
$ cat >killed.sh <<'END'
> # usage: killed.sh SIGNAL [OPTION...]: the 12th run of the command sends the signal to who runs it.
> signal=$1
> shift
> rm -f calls
> inlay reduce big.inlay --keep 'echo >>calls; [ $(wc -l <calls) -lt 12 ] || kill -'$signal' $PPID; inlay info {} | grep Tanh #' --match Tanh "$@"
> END

$ mkdir best scratch; TMPDIR=$PWD/scratch sh ./killed.sh KILL -o best/best.inlay 2>/dev/null
[137]
$ ls best; inlay print best/best.inlay | grep -c Tanh; inlay print best/best.inlay >best.text; inlay print big.inlay | diff - best.text >/dev/null || echo smaller
best.inlay
1
smaller
$ [ $(wc -l <best.text) -lt 13 ] && inlay verify best/best.inlay best.text
same: 64 of 64 trials counted

# Interrupted, it tells the best so far and takes its folder away. The command hears of it, though it leads a group.
$ rm -r scratch/*; TMPDIR=$PWD/scratch sh ./killed.sh INT
inlay reduce: interrupted; the best so far:
graph "big" {
  %e_cut = Parameter-1 {element_type = f32, shape = [8,16]} : f32[8,16]
  %f = Tanh-1(%e_cut) : f32[8,16]
  %reduced = Result-1(%f)
}
[130]
$ ls scratch
$ TMPDIR=$PWD/scratch sh ./killed.sh TERM -o best/best.inlay 2>&1 | head -1
inlay reduce: interrupted; the best so far is saved
$ ls scratch; ls best
best.inlay

# Printed once, in the end.
$ inlay reduce big.inlay --keep "inlay info {} | grep Tanh" --match Tanh -o - | grep -c "^graph"
1

$ inlay reduce big.inlay --keep " "
inlay reduce: error: option --test is empty: the command that fails on the model (see `inlay reduce --help`)
[2]

$ inlay reduce big.inlay
inlay reduce: error: option --test is missing: the command that fails on the model (see `inlay reduce --help`)
[2]

# Bodies are made small from inside: a body takes the place of its node where it can, what it computes
# goes, and with it what enters and leaves it.
$ cat >bodies.inlay <<'EOF'
> graph "bodies" {
>   %x = Parameter {element_type = f32, shape = [8,4]}
>   %y = Parameter {element_type = f32, shape = [8,4]}
>   %n = Const {value = i64[] 3}
>   %go = Const {value = boolean[] true}
>   %a = Exp(%x)
>   %loop:2 = Loop(%n, %go, %a, %y)
>     body "body" {
>       %p = Parameter {element_type = f32, shape = [8,4]}
>       %q = Parameter {element_type = f32, shape = [8,4]}
>       %s = Add(%p, %q)
>       %e = Erf(%s)
>       %t = Tanh(%e)
>       %m = Multiply(%t, %q)
>       %yes = Const {value = boolean[] true}
>       %r0 = Result(%t)
>       %r1 = Result(%m)
>       %r2 = Result(%yes)
>     }
>     in 2 -> %p
>     in 3 -> %q
>     out %r0 -> 0
>     out %r1 -> 1
>     out %r2 -> none condition
>     back %r0 -> %p
>   %out = Result(%loop:0)
>   %other = Result(%loop:1)
> }
> EOF

$ inlay reduce bodies.inlay --keep "inlay info {} | grep Tanh" --match Tanh | sed "s/; .*//"
// 3 nodes of 8
graph "bodies" {
  %e_cut = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %t = Tanh-1(%e_cut) : f32[1,1]
  %reduced = Result-1(%t)
}

$ inlay reduce bodies.inlay --keep "inlay print {} | tr -d '\n' | grep 'Loop.*Tanh'" --match Tanh | sed "s/; .*//"
// 5 nodes of 8
graph "bodies" {
  %a_cut = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %n = Const-1 {value = i64[] 0}
  %go = Const-1 {value = boolean[] false}
  %loop = Loop-5(%n, %go, %a_cut) : f32[1,1]
    body "body" {
      %p = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
      %t = Tanh-1(%p) : f32[1,1]
      %r0 = Result-1(%t)
      %yes = Const-1 {value = boolean[] false}
      %r2 = Result-1(%yes)
    }
    in 2 -> %p
    out %r0 -> 0
    out %r2 -> none condition
    back %r0 -> %p
  %reduced = Result-1(%loop)
}

# Windows, lists and attributes become plain.
$ cat >window.inlay <<'EOF'
> graph "window" {
>   %x = Parameter {element_type = f32, shape = [8,16]}
>   %start = Const {value = i64[2] [5, 7]}
>   %stop = Const {value = i64[2] [7, 13]}
>   %step = Const {value = i64[2] [1, 2]}
>   %axes = Const {value = i64[2] [0, 1]}
>   %s = Slice(%x, %start, %stop, %step, %axes)
>   %c = Const {value = f32[2,3] [1, 2, 3, 4, 5, 6]}
>   %a = Add(%s, %c)
>   %j = Concat(%a, %a, %s) {axis = -1}
>   %out = Result(%j)
> }
> EOF

$ inlay reduce window.inlay --keep "inlay print {} | grep -c -E 'Slice|Concat' | grep -x 2" --match 2 | sed "s/; .*//"
// 6 nodes of 10
graph "window" {
  %x = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %start = Const-1 {value = i64[1] [0]}
  %step = Const-1 {value = i64[1] [1]}
  %s = Slice-8(%x, %start, %start, %step) : f32[0,1]
  %j = Concat-1(%s) {axis = 0} : f32[0,1]
  %out = Result-1(%j)
}

# What lies in nodes that nothing reaches is made small, too, where nothing else helps; a state is as long as its values.
$ cat >dead.inlay <<'EOF'
> graph "dead" {
>   variable "v" : f32[8]
>   %x = Parameter {element_type = f32, shape = [8]}
>   %from = ReadValue@opset6(%x) {variable_id = "v"}
>   %sum = Add(%from, %x)
>   %set = Assign@opset6(%sum) {variable_id = "v"}
>   %a = Exp(%x)
>   %t = Tanh(%a)
>   %s = Sinh(%t)
>   %out = Result(%a)
> }
> EOF

$ inlay reduce dead.inlay --keep "inlay diff {} --passes eliminate-dead | grep Sinh" --match Sinh | sed "s/; .*//"
// 3 nodes of 8
graph "dead" {
  variable "v" : f32[1]
  %x = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %out = Result-1(%x)
  %s = Sinh-1(%x) : f32[1]
}

$ inlay reduce dead.inlay --keep "inlay print {} | grep Assign" --match Assign | sed "s/; .*//"
// 3 nodes of 8
graph "dead" {
  variable "v" : f32[1]
  %sum_cut = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %set = Assign-6(%sum_cut) {variable_id = "v"} : f32[1]
  %reduced = Result-1(%sum_cut)
}

# A constant of floats becomes a zero, if that is enough.
$ cat >float.inlay <<EOF
> graph "float" {
>   %x = Parameter {element_type = f32, shape = [2]}
>   %k = Const {value = f32[2] [0.25, -7]}
>   %y = Multiply(%x, %k)
>   %out = Result(%y)
> }
> EOF

$ inlay reduce float.inlay --keep "inlay print {} | grep -A1 Const" --match Multiply | grep Const
  %k = Const-1 {value = f32[] 0}
