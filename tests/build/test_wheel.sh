#!/bin/sh
# The wheel: `pip install` without a network, in an environment that sees Debian's packages, and used there.
set -u
. "$ROOT/tests/tap.sh"
python=/usr/bin/python3

if ! [ -e "$BUILD/python/inlay/_inlay.abi3.so" ] ||
    ! $python -c 'import numpy, setuptools, wheel, pip, venv, ensurepip' 2>/dev/null; then
    skip "a wheel" "peer: python3-dev, -numpy, -setuptools, -wheel, -pip or -venv is missing"
    finish
    exit
fi
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
within=${BUILD#"$ROOT/"}
export within

build() {
    (cd "$ROOT" && BUILD=$within $python -m pip wheel -q --no-build-isolation --no-deps -w "$scratch" .)
}
works "a wheel is built" build
wheel=$(echo "$scratch"/inlay-*.whl)
case $wheel in
*-cp311-abi3-linux_*.whl) pass "it is for the limited API of 3.11" ;;
*) fail "it is for the limited API of 3.11" "$wheel" ;;
esac
$python -m zipfile -l "$wheel" >"$scratch/held"
for file in inlay/libinlay.so.1 inlay/_inlay.abi3.so inlay/py.typed inlay/_inlay.pyi; do
    works "it holds $file" grep -q "^$file " "$scratch/held"
done

# An environment of its own, with no path to the checkout.
works "an environment" $python -m venv --system-site-packages --without-pip "$scratch/venv"
works "the wheel is installed" $python -m pip --python "$scratch/venv/bin/python" install -q --no-deps "$wheel"
cat >"$scratch/try.py" <<'END'
import sys
import numpy as np
import inlay

assert sys.argv[2] in inlay.__file__, inlay.__file__
maps = open("/proc/self/maps").read()
assert sys.argv[2] + "/lib" in [l for l in maps.splitlines() if "libinlay.so" in l][0]
m = inlay.load(sys.argv[1] + "/digits.xml")
error = abs(m(np.load(sys.argv[1] + "/ten.npy")) - np.load(sys.argv[1] + "/ten_expected.npy")).max()
assert error < 1e-5, error
END
works "and used, with the library inside" env -C "$scratch" -u PYTHONPATH "$scratch/venv/bin/python" try.py "$ROOT/models/digits" "$scratch/venv"
finish
