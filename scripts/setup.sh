#!/usr/bin/env bash
# Makes sure that everything Armature is built and tested with is installed. Silent when nothing is missing, and then
# needs neither network nor sudo.
#   scripts/setup.sh            install what is missing (Debian and its children)
#   scripts/setup.sh --to-run   the same without what only the tests call
#   scripts/setup.sh --list     print the packages and stop
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The one list. Names are Debian 12's.
packages=(
    g++ cmake ninja-build ccache
    libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev
    libgtest-dev libgmock-dev libbenchmark-dev
    nodejs npm
)
# What ./test calls and ./run does not.
if [[ ${1-} != --to-run ]]; then
    packages+=(clang libclang-rt-dev llvm clang-format chromium)
fi

if [[ ${1-} == --list ]]; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi
if [[ -n ${ARMATURE_SKIP_SETUP-} ]]; then
    exit 0
fi
if [[ ! -e /etc/debian_version ]] || ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is not a Debian system, so nothing was installed. Armature needs what these Debian packages hold:"
    say "    ${packages[*]}"
    say "(g++ 12 or newer, cmake 3.25 or newer). Install them your system's way, then set ARMATURE_SKIP_SETUP=1 and"
    say "start this again."
    exit 2
fi

# Node from elsewhere than Debian has npm inside, and excludes Debian's package of that name.
is_installed() {
    [[ $1 == npm ]] && command -v npm >/dev/null && return
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}
missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        die "missing Debian packages, and there is no sudo to install them with. As root: apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
    # With nobody there to type a password, fail rather than wait for one.
    [[ -t 0 && -z ${CI-} ]] || as_root=(sudo -n)
    say "Root rights are needed once, to install Debian packages."
    "${as_root[@]}" true || die "sudo refused. As root: apt-get install ${missing[*]}"
fi

apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300)
say "Installing ${missing[*]} ..."
# An update that fails (one dead third-party source is enough) need not stop us: the install decides.
quietly apt-update "${apt[@]}" update || say "warning: apt-get update failed; trying to install all the same"
quietly apt-install "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
    die "could not install the packages. By hand: apt-get install ${missing[*]}"
