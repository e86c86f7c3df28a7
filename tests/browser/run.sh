#!/bin/sh
# Opens pages of `inlay view` in Chromium, and prints TAP: `make browser`. Needs node, chromium and, once, npm, which
# fetches playwright-core into $BUILD/browser; pictures of the pages are left there. Without them it is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=$(cd "${BUILD:-build}" && pwd)/browser pages=$folder/pages
inlay=${BUILD:-build}/inlay
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if ! command -v node >/dev/null || [ -z "$chromium" ]; then
    echo "1..0 # SKIP node or chromium is not there (Debian: apt install nodejs npm chromium)"
    exit 0
fi
mkdir -p "$pages"
cp tests/browser/package.json "$folder/"
if [ ! -d "$folder/node_modules/playwright-core" ] &&
    ! (cd "$folder" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --silent --no-audit --no-fund >npm.log 2>&1); then
    echo "1..0 # SKIP npm cannot fetch playwright-core: $(tail -1 "$folder/npm.log")"
    exit 0
fi

page() { # NAME ARGUMENTS...
    name=$1
    shift
    "$inlay" view "$@" -o "$pages/$name.html" || echo "not ok - inlay view $*"
}
large() { # KIND N
    python3 tests/browser/large.py "$1" "$2" >"$pages/$1$2.inlay"
}
without_dot() {
    PATH=/nowhere "$@"
}

large deep 700
large deep 3333
large wide 414
page window models/window/window.inlay
page second models/window/second_reader.inlay
page loop examples/cache_loop.inlay
sed '/^\/\/ expect:/,$d' tests/passes/in-place-windows/yes_N4_if_outputs.inlay >"$pages/if.inlay"
page if "$pages/if.inlay"
page times models/digits/digits.xml --shape image=1,1,28,28 --time
page passes examples/folded.inlay --passes default
page steps examples/folded.inlay --step
page two models/window/window.inlay models/window/second_reader.inlay --values
page gpt models/tiny-gpt/tiny-gpt.xml
without_dot page plain models/tiny-gpt/tiny-gpt.xml
page deep "$pages/deep700.inlay"
page many "$pages/deep3333.inlay"
started=$(date +%s%N)
page wide "$pages/wide414.inlay"
export WIDE_MS=$((($(date +%s%N) - started) / 1000000))
printf 'graph "g" {\n  %%"</script><script>alert(1)</script>" = Parameter {element_type = f32, shape = [2]}\n' >"$pages/evil.inlay"
printf '  %%"<img src=x onerror=alert(2)>" = Abs(%%"</script><script>alert(1)</script>")\n' >>"$pages/evil.inlay"
printf '  %%r = Result(%%"<img src=x onerror=alert(2)>")\n}\n' >>"$pages/evil.inlay"
page evil "$pages/evil.inlay"
cp tests/browser/test.mjs "$folder/"
CHROMIUM=$chromium PAGES=$pages PICTURES=$folder node "$folder/test.mjs"
