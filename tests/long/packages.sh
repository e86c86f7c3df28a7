#!/bin/sh
# Debian packages: made in a bare root of Debian 12 and of 13, looked at by lintian, and installed, used and removed in
# another bare root of each. It needs root, debootstrap, and a mirror, which is the one of this machine.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    skip "packages" "they are tried in bare roots, which want root and debootstrap"
    finish
    exit
fi
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1)
root=$LONG_STATE/root

drop_root() {
    umount "$root/proc" 2>/dev/null
    rm -rf "$root"
}
trap 'drop_root; rm -rf "$scratch"' EXIT

# An empty system of that suite; the first one is kept for those that follow.
bare_root() { # SUITE
    drop_root
    mkdir -p "$root"
    if [ ! -e "$LONG_STATE/$1.tar" ]; then
        debootstrap --variant=minbase "$1" "$root" "$mirror" && cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" &&
            tar -C "$root" -cf "$LONG_STATE/$1.tar" . || return 1
    else
        tar -C "$root" -xf "$LONG_STATE/$1.tar"
    fi
    cp /etc/resolv.conf "$root/etc/" && mkdir -p "$root/build/src" "$root/packages" && mount -t proc proc "$root/proc" &&
        git archive HEAD | tar -C "$root/build/src" -x
}

inside() { # COMMANDS
    chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        sh -ec "cd /build/src; $1" </dev/null
}

make_packages() { # SUITE
    bare_root "$1" && inside '
        apt-get update -q
        apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold dpkg-dev debhelper lintian >/dev/null
        apt-get build-dep -q -y --no-install-recommends ./ >/dev/null
        useradd builder && chown -R builder /build
        su builder -c "dpkg-buildpackage -b -us -uc && lintian --fail-on error ../*.changes"' &&
        mkdir -p "$LONG_STATE/$1.packages" && cp "$root/build/"*.deb "$LONG_STATE/$1.packages/"
}

# The command, a program against the headers, and nothing left behind but what others brought.
use_packages() { # SUITE
    bare_root "$1" && cp "$LONG_STATE/$1.packages/"*.deb "$root/packages/" && inside '
        rm -f /packages/*-dbgsym_*
        apt-get update -q
        find / -xdev -name "*inlay*" ! -path "/build/*" ! -path "/packages/*" >/before
        apt-get install -q -y --no-install-recommends /packages/*.deb gcc libc6-dev pkg-config >/dev/null
        inlay run models/digits/digits.xml -i image=models/digits/ten.npy --expect probabilities=models/digits/ten_expected.npy
        inlay opt models/window/window.inlay -o /tmp/out.xml
        inlay run models/digits/digits.xml -i image=models/digits/ten.npy --kernels onednn >/dev/null
        gcc tests/build/window.c $(pkg-config --cflags --libs inlay) -o /tmp/window && /tmp/window
        apt-get purge -q -y $(dpkg-query -W -f "\${Package}\n" "*inlay*") >/dev/null
        find / -xdev -name "*inlay*" ! -path "/build/*" ! -path "/packages/*" >/after
        diff /before /after'
}

for suite in bookworm trixie; do
    [ -e "$LONG_STATE/$suite.done" ] && pass "$suite, before" && continue
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    rm -rf "$LONG_STATE/$suite.packages"
    works "$suite: packages are made, and lintian finds no error" make_packages "$suite"
    works "$suite: they are installed, used and removed" use_packages "$suite" && touch "$LONG_STATE/$suite.done"
done
finish
