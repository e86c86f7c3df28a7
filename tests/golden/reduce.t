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

$ inlay reduce big.inlay --keep "inlay bisect --passes rules --rules wrong.rules --trials 4" --match maximum-turned | sed "s/; .*//"
// 4 nodes of 13
graph "big" {
  %x = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %d_cut = Parameter-1 {element_type = f32, shape = [1,1]} : f32[1,1]
  %e = Maximum-1(%d_cut, %x) : f32[1,1]
  %reduced = Result-1(%e)
}

# The best so far is saved; {} is the file.
$ inlay reduce big.inlay --keep "inlay info {} | grep Abs" --match Tanh
inlay: error: the command does not print "Tanh" for the model: inlay info {} | grep Abs
[2]

$ inlay reduce big.inlay --keep "inlay info {} | grep Tanh" --match Tanh --tries 2 -o small.xml; inlay info small.xml | grep -c Tanh
13 nodes of 13; 2 candidates, 0 of them failed alike; there are no tries left
1

# What does not fail has nothing to keep.
$ inlay reduce big.inlay --keep true
inlay: error: the command succeeds on the model, so there is no failure to keep; --match TEXT keeps what it prints: true
[2]

$ inlay reduce big.inlay --keep no-such-command
inlay: error: the command cannot be run: no-such-command
[3]

$ inlay reduce big.inlay
inlay reduce: error: option --keep is missing: the command that fails on the model (see `inlay reduce --help`)
[2]
