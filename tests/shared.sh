#!/bin/sh
# Prints where the shared material lies, if there is any: $INLAY_SHARED where that is set (empty or not there:
# none), else the folder `shared` beside the checkout, or beside the checkout that this worktree belongs to.
root=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${INLAY_SHARED+set}" ]; then
    set -- "$INLAY_SHARED"
else
    main=$(cd "$root" && git rev-parse --path-format=absolute --git-common-dir 2>/dev/null)
    set -- "$root/../shared" "${main:-$root/.git}/../../shared"
fi
for dir in "$@"; do
    if [ -n "$dir" ] && [ -f "$dir/design.md" ]; then
        cd "$dir" && pwd
        exit
    fi
done
