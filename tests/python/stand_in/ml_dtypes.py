"""In place of ml_dtypes where that is not installed: types of its names and sizes that numpy knows no numbers of."""

import numpy as np

bfloat16 = np.dtype([("bfloat16", "u2")])
float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu = (
    np.dtype([(name, "u1")]) for name in
    ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"))
