#!/usr/bin/env bash
# Writes the pages that are generated from the program itself (docs/language.md, from the schema of the language); with
# --check changes nothing and fails when a page is not what the program would write. Needs build/release/armature.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"

armature=build/release/armature
[[ -x $armature ]] || die "$armature is not built"
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

status=0
page() { # page FILE ARGUMENT...: FILE is what the command prints with these arguments
    local file=$1
    shift
    "$armature" "$@" >"$fresh"
    if cmp -s "$fresh" "$file"; then
        return
    elif [[ ${check-} ]]; then
        say "$file is not up to date (scripts/docs.sh writes it):"
        diff "$file" "$fresh" | head -n 10 >&2 || true
        status=1
    else
        cp "$fresh" "$file"
    fi
}

if [[ ${1-} == --check ]]; then check=1; fi
page docs/language.md list language
exit "$status"
