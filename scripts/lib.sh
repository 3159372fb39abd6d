# Shared by ./run, ./test and the scripts beside this file; to be sourced. Sets strict mode and `root`, and defines how
# these scripts speak: one line per stage on stderr, the details in build/logs/, shown only when a stage fails.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
logs="$root/build/logs"
jobs=${ARMATURE_JOBS:-$(nproc 2>/dev/null || echo 2)}

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

# quietly NAME COMMAND...: runs the command with its output in build/logs/NAME.log; when it fails, shows the end of that.
quietly() {
    local name=$1 status=0
    shift
    mkdir -p "$logs"
    "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        say "--- the last lines of build/logs/$name.log"
        tail -n "${ARMATURE_LOG_LINES:-60}" "$logs/$name.log" >&2
        say "---"
    fi
    return "$status"
}

# Configures into build/DIR unless that was done for this very source tree already; a build tree that was copied or
# moved here from elsewhere is started afresh. Arguments: DIR, then what cmake takes.
configure() {
    local dir=$1 fresh=()
    shift
    local cache="$root/build/$dir/CMakeCache.txt"
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        fresh=(--fresh)
    fi
    (cd "$root" && quietly "configure-$dir" cmake "${fresh[@]}" -B "build/$dir" "$@")
}

# compile DIR [TARGET...]: ninja's own one-line progress on a terminal, nothing elsewhere.
compile() {
    local dir=$1
    shift
    if [[ -t 1 && -t 2 ]]; then
        ninja -C "$root/build/$dir" -j "$jobs" "$@"
    else
        quietly "build-$dir" ninja -C "$root/build/$dir" -j "$jobs" "$@"
    fi
}

# build_preset PRESET [TARGET...]
build_preset() {
    local preset=$1
    shift
    configure "$preset" --preset "$preset" && compile "$preset" "$@"
}

# npm_packages DIR: what DIR/package-lock.json names, into DIR/node_modules. When that is there already nothing happens
# and no network is needed.
npm_packages() {
    local dir="$root/$1"
    cmp -s "$dir/package-lock.json" "$dir/node_modules/.installed-lock" && return
    (cd "$dir" && quietly "npm-${1//\//-}" npm ci) && cp "$dir/package-lock.json" "$dir/node_modules/.installed-lock"
}

# The studio's page, from web/ into web/dist, when anything it is made of is newer than what is there.
build_page() {
    npm_packages web || return
    local made="$root/web/dist/index.html"
    if [[ -f $made && -z $(cd "$root/web" && find src public index.html vite.config.ts package-lock.json -newer "$made") ]]; then
        return
    fi
    (cd "$root/web" && quietly web-build npm run --silent build)
}
