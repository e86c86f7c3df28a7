"""What was measured, line by line, in the file of $BENCH_KEEP, so that a run that was stopped goes on, and one that has
no hour of quiet can be made in parts: a line that is there is not measured again. Without $BENCH_KEEP nothing is kept."""
import json
import os

PATH = os.environ.get("BENCH_KEEP")


def read():
    if not PATH or not os.path.exists(PATH):
        return {}
    with open(PATH) as f:
        return dict(json.loads(line) for line in f)


FOUND = read()


def measured(line, measure):
    """What MEASURE() gives for LINE, or gave before. Nothing is no result, and is tried again."""
    if line not in FOUND:
        result = measure()
        if not result:
            return result
        FOUND[line] = result
        if PATH:
            with open(PATH, "a") as f:
                f.write(json.dumps([line, result]) + "\n")
    return FOUND[line]
