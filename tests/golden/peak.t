# What is computed in its part of a Concat saves a copy, and makes the whole result be there from then on. Where that
# would raise the peak of a run, the part is copied (condition P1). `kept` has 16 KiB, `wide`, `sum` and `sums` 64 KiB, `joined` 80.
$ cat > skip.inlay <<'END'
> graph "skip" {
>   %x = Parameter-1 {element_type = f32, shape = [1, 4, 32, 32]} : f32[1,4,32,32]
>   %axis = Const-1 {value = i32[] [1]}
>   %kept = CumSum-3(%x, %axis)
>   %wide = Concat-1(%x, %x, %x, %x) {axis = 1}
>   %sum = CumSum-3(%wide, %axis)
>   %sums = CumSum-3(%sum, %axis)
>   %joined = Concat-1(%kept, %sums) {axis = 1}
>   %out = CumSum-3(%joined, %axis)
>   %r = Result-1(%out)
> }
> END
$ inlay opt --explain skip.inlay -o noted.inlay | grep -A3 '"joined"'
skip.inlay:8: "joined" (Concat-1), its part "kept" (CumSum-3):
  into: no (P1 no-higher-peak): "joined" (Concat-1) would have its memory for so long that the run held more at its peak; copies 16 KiB
    what helps: --prefer copies makes it all the same, whatever memory it holds
skip.inlay:8: "joined" (Concat-1), its part "sums" (CumSum-3):
  into: yes

# Without notes: kept, sums and joined, or sum beside joined and kept; or joined and out.
$ inlay plan skip.inlay | grep ^peak
peak: 245760 bytes
$ inlay plan skip.inlay --disable in-place-windows | grep ^peak
peak: 245760 bytes
$ inlay plan skip.inlay --prefer copies | grep ^peak
peak: 294912 bytes

# Who asks that nothing is copied gets that.
$ inlay opt --require-in-place skip.inlay -o noted.inlay 2>&1 | grep -c P1
0
[1]

$ inlay plan skip.inlay --prefer speed
inlay plan: error: option --prefer is "speed", it must be peak or copies (see `inlay plan --help`)
[2]
