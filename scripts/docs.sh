#!/usr/bin/env bash
# Writes the pages that are generated from the program itself: docs/language.md from the schema of the language,
# docs/command.md from the command's help. With --check changes nothing and fails when a page is not what the program
# would write. Needs build/release/armature.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"

armature=build/release/armature
[[ -x $armature ]] || die "$armature is not built"
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

status=0
page() { # page FILE COMMAND...: FILE is what the command prints
    local file=$1
    shift
    "$@" >"$fresh"
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

command_page() {
    printf '# The command\n\n'
    printf 'What `armature --help` and the help of each verb say. Data goes to stdout, messages and progress to stderr;\n'
    printf 'off a terminal, or with `NO_COLOR` set, there is no progress bar and no colour. The first Ctrl-C (or SIGTERM)\n'
    printf 'ends a run after the frame it is at: files are written with what there is, the report says INTERRUPTED, and\n'
    printf 'the exit code is 1. A second one ends the process at once. Files are there whole or not at all: they are\n'
    printf 'written under a temporary name, synced and renamed.\n'
    local verb
    for verb in '' check run assemble doctor studio format list; do
        printf '\n## armature%s\n\n```\n' "${verb:+ $verb}"
        "$armature" ${verb:+"$verb"} --help
        printf '```\n'
    done
}

if [[ ${1-} == --check ]]; then check=1; fi
page docs/language.md "$armature" list language
page docs/command.md command_page
exit "$status"
