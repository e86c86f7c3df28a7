#!/bin/sh
# Pages of `inlay view` in a browser: tests/browser.
set -u
cd "$ROOT" || exit 2
exec sh tests/browser/run.sh
