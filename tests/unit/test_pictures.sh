#!/bin/sh
# A picture as an input: where its channels go, what becomes of its pixels, and what is refused. The numbers are worked
# out by hand from a picture of 2 x 2: red and green above, blue and (10, 20, 30) below.
PATH=${BUILD:?}:$PATH
. "$(dirname "$0")/../tap.sh"
cd "$scratch" || exit 2

base64 -d >p.png <<'END'
iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR42mP4z8DAAMIM/7lE5AAaWAM64pJu2QAAAABJRU5ErkJggg==
END
model() { # TYPE SHAPE
    printf 'graph "g" {\n%%image = Parameter {element_type = %s, shape = %s} : %s%s\n%%r = Result(%%image)\n}\n' \
        "$1" "$2" "$1" "$2" >m.inlay
}
says() { # NAME ARGUMENTS...
    name=$1
    shift
    inlay run m.inlay -i image=p.png "$@" >actual 2>&1
    cat >expected
    same "$name" expected actual
}

# A format that needs no library.
model u8 '[1,3,?,?]'
printf 'P3 2 1 255 1 2 3 4 5 6' >p.PPM
inlay run m.inlay -i image=p.PPM >actual 2>&1
same "a portable pixmap" - actual <<'END'
image: u8[1,3,1,2]
  [[[[1, 4]],
    [[2, 5]],
    [[3, 6]]]]
END

case $(inlay --version) in
*PNG*) ;;
*)
    model f32 '[1,3,?,?]'
    inlay run m.inlay -i image=p.png 2>&1 | grep -q "this build reads no PNG.*python3 -c" &&
        pass "says what makes an array of it"
    skip "pictures" "libpng was not there"
    finish
    exit
    ;;
esac

model f32 '[1,3,?,?]'
says "channels before height and width" <<'END'
image: f32[1,3,2,2]
  [[[[255, 0],
     [0, 10]],
    [[0, 255],
     [0, 20]],
    [[0, 0],
     [255, 30]]]]
END
# The middles of 4 columns lie at -0.25, 0.25, 0.75 and 1.25 of 2: ends stay, between them 1/4 and 3/4 are mixed.
says "another size, mean and deviation" --resize 4x2 --mean 10 --std 2,2,2 <<'END'
image: f32[1,3,2,4]
  [[[[122.5, 90.625, 26.875, -5],
     [-5, -3.75, -1.25, 0]],
    [[-5, 26.875, 90.625, 122.5],
     [-5, -2.5, 2.5, 5]],
    [[-5, -5, -5, -5],
     [122.5, 94.375, 38.125, 10]]]]
END
says "a layout that the input has not" --layout NHWC <<'END'
m.inlay:2: error: node "image" (Parameter-1): the picture is 2 x 2, the input takes 2 x 3: give --resize 2x3
END
model u8 '[?,?,3]'
says "channels behind" <<'END'
image: u8[2,2,3]
  [[[255, 0, 0],
    [0, 255, 0]],
   [[0, 0, 255],
    [10, 20, 30]]]
END
says "numbers that the type does not have" --mean 11 <<'END'
m.inlay:2: error: node "image" (Parameter-1): the pixel -11 does not fit u8
END
# 0.299 R + 0.587 G + 0.114 B
model u8 '[2,2]'
says "grey" <<'END'
image: u8[2,2]
  [[76, 150],
   [29, 18]]
END
model f32 '[1,3,224,224]'
says "the size that the input takes" <<'END'
m.inlay:2: error: node "image" (Parameter-1): the picture is 2 x 2, the input takes 224 x 224: give --resize 224x224
END
inlay run m.inlay -i image=p.png --resize 224x224 -o made --quiet
works "is made" test -s made/0.npy
says "no layout" --layout NHCW <<'END'
inlay: error: option --layout is "NHCW", it must be NCHW or NHWC
END
says "no numbers" --mean 1,2 <<'END'
inlay: error: option --mean is "1,2", it must be one number or 3
END
says "no division" --std 1,0,1 <<'END'
inlay: error: option --std is "1,0,1", nothing is divided by 0
END
says "no size" --resize 4 <<'END'
inlay: error: option --resize is "4", it must be WIDTHxHEIGHT such as 224x224
END
model f32 '[2,5,7]'
says "no channels" <<'END'
m.inlay:2: error: node "image" (Parameter-1): a picture has 1, 3 or 4 channels, the input has 2 there (--layout says where they are)
END
model f32 '[2]'
says "no axes" <<'END'
m.inlay:2: error: node "image" (Parameter-1): a picture has 2 to 4 axes, the input has 1
END
model boolean '[3,?,?]'
says "no numbers to have" <<'END'
m.inlay:2: error: node "image" (Parameter-1): a picture is no tensor of type boolean
END
finish
