"""Einsum, by numpy's own, but for the ellipsis that the result leaves out: numpy refuses it, it is summed over."""

import numpy as np

from case import FLOATS, NUMERIC, Case, exact, rounded

CASES = {  # what it is about: the equation, shapes
    "product": ("ij,jk->ik", (2, 3), (3, 4)), "implicit": ("bij,bjk", (2, 2, 3), (2, 3, 2)),
    "trace": ("ii->", (3, 3)), "implicit trace": ("ii", (3, 3)), "diagonals": ("kii->ki", (2, 3, 3)),
    "capitals first": ("AbC", (1, 2, 3)), "implicit diagonal": ("dbbc,ca", (2, 3, 3, 4), (4, 2)),
    "blanks": (" i , i -> ", (3,), (3,)), "outer": ("i,j->ji", (2,), (3,)), "scalar": (",a->a", (), (3,)),
    "scalars": (",", (), ()), "ellipsis": ("ab...,ac...,ade->...bc", (2, 3, 4), (2, 2, 1), (2, 4, 2)),
    "ellipsis of two lengths": ("a...b,b...->a...", (2, 1, 4, 3), (3, 2, 1, 1)),
    "diagonal behind ellipsis": ("...ii->...i", (2, 2, 2)), "ellipsis of no axis": ("a...,...->a...", (3, 3), (1,)),
    "ellipsis alone": ("...,...", (2, 3), (3,)), "ellipsis that covers nothing": ("...a->a", (3,)),
    "nothing": ("ij->", (2, 0)), "sums of nothing": ("ij,jk->ik", (2, 0), (0, 3)), "no rows": ("ij,j->i", (0, 2), (2,)),
    "broadcast label": ("ij,jk->ik", (2, 1), (3, 2)), "chain": ("ab,bc,cd->ad", (2, 3), (3, 2), (2, 2)),
}

PRODUCTS = {  # matrix products, with labels in all orders; of small integers, so that they are exact
    "bhid,bhjd->bihj": ((2, 2, 3, 5), (2, 2, 9, 5)), "bsd,dhk->bhsk": ((2, 3, 4), (4, 2, 5)),
    "bhsd,hde->bse": ((2, 2, 3, 4), (2, 4, 9)), "abcd,dcef->faeb": ((2, 3, 2, 4), (4, 2, 3, 3)),
    "bn,anm,bm->ba": ((3, 4), (9, 4, 5), (3, 5)), "ijk,kl->il": ((4, 3, 5), (5, 9)), "iij,jk->ki": ((3, 3, 5), (5, 9)),
    "bi,bi->b": ((9, 5), (9, 5)), "bij,bj->bij": ((2, 3, 5), (2, 5)), "i,j->ij": ((5,), (9,)),
    "...ij,...jk->...ik": ((3, 1, 2, 5), (2, 5, 9)), "abc,acb->": ((2, 3, 4), (2, 4, 3)), "ij->j": ((5, 9), ),
    "ab,cd,ef,ace->fbd": ((2, 3), (3, 2), (2, 4), (2, 3, 2)),
}


def einsum():
    c = Case("Einsum", "products")
    for equation, shapes in PRODUCTS.items():
        for t in ("f32", "i32"):
            operands = [c.ints(t, shape, -4, 5) for shape in shapes]
            want = np.einsum(equation, *(x.array.astype(np.float64 if t in FLOATS else np.int64) for x in operands))
            c.node(operands, rounded(t, want), {"equation": equation}, "opset7")
    for name, (equation, *shapes) in CASES.items():
        c = Case("Einsum", name.replace(" ", "-"))
        operands = [c.floats("f32", shape, -2, 2, 4) for shape in shapes]
        want = np.einsum(equation, *map(exact, operands))
        c.node(operands, rounded("f32", want), {"equation": equation}, "opset7", ulp=2, atol=1e-6)
    c = Case("Einsum", "ellipsis-summed-over")
    x = c.floats("f32", (2, 3, 4), -2, 2, 4)
    c.node([x], rounded("f32", np.einsum("abc->a", exact(x))), {"equation": "a...->a"}, "opset7", ulp=2, atol=1e-6)
    c = Case("Einsum", "types")
    for t in NUMERIC:
        a, b = (c.ints(t, (2, 2), 0, 5) for _ in range(2))
        want = np.einsum("ij,kj->ki", a.array.astype(np.float64), b.array.astype(np.float64))
        want = want if t in FLOATS else want.astype(np.int64)
        c.node([a, b], rounded(t, want), {"equation": "ij,kj->ki"}, "opset7")


def make():
    einsum()
