"""The table of operations, and the ways in which a run can end without results."""


class Fault(Exception):
    """The run must fail: the specification calls these operands an error."""


class Unknown(Exception):
    """What happens depends on more than the interpreter can know, such as the last bits of a sum."""


class Unsupported(Exception):
    """An operation, version or element type that is not written here."""


# (type, set of versions) -> [(since which version of the set, function)]
TABLE = {}


def operation(name, *since):
    """Enters a function as the operation from these versions on: operation("Slice", "opset8")."""

    def enter(function):
        for version in since:
            family = version.rstrip("0123456789")
            number = int(version[len(family):] or 1)
            TABLE.setdefault((name, family), []).append((number, function))
        return function

    return enter


def find(name, version):
    """Without a version it is the newest of OpenVINO, else the newest of a dialect."""
    if not version:
        families = [family for (n, family) in TABLE if n == name]
        version = ("opset" if "opset" in families else (families or ["opset"])[0]) + "99"
    family = version.rstrip("0123456789")
    number = int(version[len(family):] or 1)
    rows = [row for row in TABLE.get((name, family), []) if row[0] <= number]
    if not rows:
        raise Unsupported(f"{name} of {version}")
    return max(rows, key=lambda row: row[0])[1]


def check(holds, message):
    if not holds:
        raise Fault(message)
