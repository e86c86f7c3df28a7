# The digit classifier on pictures it has never seen. The probabilities were computed by numpy, when
# it was trained (models/digits/train.py).

$ inlay run "$ROOT/models/digits/digits.xml" -i image="$ROOT/models/digits/test_images.npy" \
>     --expect probabilities="$ROOT/models/digits/expected.npy" -o test >log

$ head -n 1 log
probabilities: f32[400,10]

# The accuracy that models/digits/README.md states.
$ show_digits --score "$ROOT/models/digits/test_labels.npy" test/0.npy
recognised 393 of 400 (98.25 %)

$ inlay run "$ROOT/models/digits/digits.xml" -i image="$ROOT/models/digits/ten.npy" \
>     --expect probabilities="$ROOT/models/digits/ten_expected.npy" -o ten >log

$ head -n 1 log
probabilities: f32[10,10]

# Anything but UTF-8 gets plain ASCII.
$ LC_ALL=C show_digits "$ROOT/models/digits/ten.npy" ten/0.npy | sed -n '8s/ *$//p'
     0  100.0 %      1  100.0 %      2  100.0 %      3  100.0 %      4  100.0 %

$ LC_ALL=C.UTF-8 show_digits "$ROOT/models/digits/ten.npy" ten/0.npy | sed -n '2,7s/ *$//p'
       ▄▄▄            ▄█                ▄▄▄            █▀▀▄            █   ▄
      ▄█▀▀█▄         ▀ █▄              █▀ █           ▄   █▄           █   █
      ▀█   ▀█▄         ██               ▄█▀                 ▀▄         █▄▄███
       █▄   ██         ▀█              ▄█                 ▄▄▄▀             █▄
        ▀█▄ ██          █               ▀▀▀                                 ▀
          ▀▀▀           ▀

# A wrong answer is noticed: these are other pictures.
$ inlay run "$ROOT/models/digits/digits.xml" -i image="$ROOT/models/digits/test_images.npy" \
>     --expect probabilities="$ROOT/models/digits/ten_expected.npy" >/dev/null 2>&1
[1]

$ show_digits "$ROOT/models/digits/test_labels.npy" ten/0.npy
show_digits: $ROOT/models/digits/test_labels.npy: this is not the shape of such a file
[2]

$ show_digits --score
usage: show_digits PICTURES.npy PROBABILITIES.npy
       show_digits --score LABELS.npy PROBABILITIES.npy
[2]
