# Inputs that are written on the command line.

$ cat >m.inlay <<'END'
> graph "m" {
>   %rate = Parameter {element_type = i64, shape = []} : i64[]
>   %list = Parameter {element_type = u8, shape = [1,?]} : u8[1,?]
>   %on = Parameter {element_type = boolean, shape = [?]} : boolean[?]
>   %x = Parameter {element_type = f16, shape = [?,?]} : f16[?,?]
>   %word = Parameter {element_type = string, shape = [?]} : string[?]
>   %a = Result(%rate)
>   %b = Result(%list)
>   %c = Result(%on)
>   %d = Result(%x)
>   %e = Result(%word)
> }
> END

# A list gets axes of one element in front, as many as the input has.
$ inlay run m.inlay -i rate=-16000 -i 'list=[1, 2,255]' -i on=true -i 'x=[[0.5,-1e3,nan],[inf,-0.0,2]]' -i '#4=["a, \"b\"",c]'
rate: i64[]
  -16000
list: u8[1,3]
  [[1, 2, 255]]
on: boolean[1]
  [True]
x: f16[2,3]
  [[0.5, -1000, nan],
   [inf, -0, 2]]
word: string[2]
  ['a, "b"', 'c']

$ inlay run m.inlay -i rate=0 -i 'list=[]' -i 'on=[true,false,0,1],donate' -i 'x=[[],[]]' -i word=hello
rate: i64[]
  0
list: u8[1,0]
  []
on: boolean[4]
  [True, False, False, True]
x: f16[2,0]
  []
word: string[1]
  ['hello']

$ for what in rate=1.5 rate=9223372036854775808 list=[256] list=[-1] on=2 'on=[2]' x=70000 x=1e5 'x=[1,]' 'x=[1' 'x=[1]2' 'x=[1 2]' 'x=[[1],2]' 'x=[1,[2]]' 'x=[[1],[2,3]]' 'x=[[1],[]]' 'word="a' "x=$(printf '[%.0s' $(seq 40))"; do
>     inlay run m.inlay -i "$what" --random && echo "taken: $what"
> done
inlay: error: -i rate=1.5: 1.5 is no whole number
inlay: error: -i rate=9223372036854775808: 9223372036854775808 does not fit i64
inlay: error: -i list=[256]: 256 does not fit u8
inlay: error: -i list=[-1]: -1 does not fit u8
inlay: error: -i on=2: 2 is neither true nor false
inlay: error: -i on=[2]: 2 is neither true nor false
inlay: error: -i x=70000: 70000 does not fit f16
inlay: error: -i x=1e5: 1e5 does not fit f16
inlay: error: -i x=[1,]: an element is missing
inlay: error: -i x=[1: found "", expected , or ]
inlay: error: -i x=[1]2: found "2" at its end
inlay: error: -i x=[1 2]: 1 2 is no number
inlay: error: -i x=[[1],2]: some elements stand in more brackets than others
inlay: error: -i x=[1,[2]]: some elements stand in more brackets than others
inlay: error: -i x=[[1],[2,3]]: lists beside each other have 1 and 2 elements
inlay: error: -i x=[[1],[]]: lists beside each other have 1 and 0 elements
inlay: error: -i word="a: a string has no quote at its end
inlay: error: -i x=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[: a tensor has at most 32 axes
[2]

# A list of the wrong size is an input of the wrong shape.
$ inlay run m.inlay -i 'rate=[1,2]' --random
m.inlay:2: error: node "rate" (Parameter-1): the tensor given has shape [2], [] is wanted
[2]

# Outputs have numbers, too.
$ inlay run m.inlay --random -i rate=7 -i '#1=[1,2]' --expect '#1=rate.npy' --quiet
rate.npy: error: cannot open: No such file or directory
[2]
