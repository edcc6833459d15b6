#!/bin/sh
# A demonstration: a daemon, a small mixed workload of real processes, and the live queue until ^C.
#   packaging/demo.sh [BUILD]
# State and logs lie in .run/, or in $BALEEN_RUN. The daemon listens where this user's daemons do, or at
# $BALEEN_SOCKET; one that already runs is used and left running.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
build=${1:-build}
baleen=$build/src/cli/baleen
run=${BALEEN_RUN:-$root/.run}
daemon=
watch=
ids=

say() {
    printf '%s\n' "$*"
}

# Ends the demonstration's jobs, then its daemon. Runs once, however we end.
stop() {
    trap - EXIT
    # from here on nothing may break it off: neither a terminal that is gone nor a second ^C
    trap '' INT TERM HUP PIPE
    set +e
    [ -z "$watch" ] || kill "$watch" 2>/dev/null || true
    say ""
    if [ -n "$ids" ]; then
        say "stopping: cancelling the demonstration's jobs"
        # shellcheck disable=SC2086 # a list of numbers
        "$baleen" cancel $ids >/dev/null 2>&1 || true
        wait_for jobs_have_ended || say "some jobs are still stopping; see baleen q"
    fi
    if [ -n "$daemon" ]; then
        kill "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
        say "the daemon has stopped; its state and the jobs' logs stay in $run"
    fi
    exit "${1:-0}"
}

# Tries a command ten times a second, for 15 s.
wait_for() {
    tries=150
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

daemon_answers() {
    "$baleen" q --no-header >/dev/null 2>&1
}

daemon_answers_or_died() {
    daemon_answers || ! kill -0 "$daemon" 2>/dev/null
}

jobs_have_ended() {
    active=$("$baleen" q --no-header -o id 2>/dev/null) || return 0
    for id in $ids; do
        for other in $active; do
            [ "$id" != "$other" ] || return 1
        done
    done
}

# Found GPUs where there are any, else eight declared ones: real processes, no real GPUs.
start_daemon() {
    declared=yes
    set -- --foreground --state "$run/state" --http "${BALEEN_HTTP:-127.0.0.1:0}"
    if [ -e /dev/nvidia0 ]; then
        declared=
    else
        set -- "$@" --declared 8xA100:80GB
    fi
    if [ -n "${BALEEN_SOCKET:-}" ]; then
        set -- "$@" --socket "$BALEEN_SOCKET"
    fi
    mkdir -p "$run/state"
    # its own session: ^C is for this script alone
    setsid "$build/src/daemon/baleend" "$@" >"$run/baleend.log" 2>&1 &
    daemon=$!
    wait_for daemon_answers_or_died || true
    if ! daemon_answers; then
        say "the daemon did not start; $run/baleend.log says:" >&2
        tail -n 20 "$run/baleend.log" >&2
        stop 1
    fi
    say "started a daemon${declared:+ with 8 declared GPUs (real processes, pretended GPUs)}"
}

# submit NAME GPUS SECONDS EXIT [flags]: a process that writes a line a second.
submit() {
    name=$1 asked=$2 seconds=$3 code=$4
    shift 4
    # shellcheck disable=SC2016 # for the job's shell, not this one
    id=$("$baleen" run --parsable -J "$name" --gpus "$asked" -D "$run/logs" "$@" -- sh -c '
        step=0
        while [ "$step" -lt "$1" ]; do
            step=$((step + 1))
            echo "step $step/$1 on GPU ${CUDA_VISIBLE_DEVICES:-none}"
            sleep 1
        done
        exit "$2"' "$name" "$seconds" "$code") || stop 1
    ids="$ids $id"
}

submit_workload() {
    mkdir -p "$run/logs"
    gpus=$("$baleen" gpus --json | tr '{' '\n' | grep -c '"node"') || gpus=0
    [ "$gpus" -gt 0 ] || { say "this daemon has no GPUs" >&2; stop 1; }
    half=$(((gpus + 1) / 2)) quarter=$(((gpus + 3) / 4))

    submit prepare 0 20 0 -t 2m
    prepare=$id
    submit train-large "$half" 75 0 -t 3m
    large=$id
    submit train-small "$quarter" 45 0 -t 2m
    submit notebook 1 120 0 --class interactive -t 5m
    submit whole-machine "$gpus" 30 0 -t 2m
    submit tune "$quarter" 40 0 -t 2m --after "$prepare:ok"
    submit broken 1 8 3 -t 1m
    broken=$id
    submit clean-up 0 10 0 -t 1m --after "$broken:fail"
    submit evaluate 1 25 0 -t 1m --after "$large:ok"
    submit short 1 20 0 -t 30s
    submit too-slow 1 60 0 -t 35s
}

trap stop EXIT INT TERM HUP
if daemon_answers; then
    say "a daemon is already running: the demonstration uses it and leaves it running"
else
    start_daemon
fi
submit_workload
cat <<END
queued a small workload. From a second terminal, in $root:

    $baleen q                          what runs and what waits
    $baleen run --gpus 2 -- sleep 30   queue something of your own
    $baleen show @                     all about your last job
    $baleen log -f @                   what it writes
    $baleen gpus                       which GPU works for whom

END
link=$("$baleen" web --no-open 2>/dev/null) || link=
[ -z "$link" ] || say "The page, signed in (the link works once, for five minutes; baleen web makes another):

    $link
"
say "^C ends the demonstration with its jobs. The queue, live:
"
# in the background, so that a signal reaches the trap at once
"$baleen" q --watch &
watch=$!
wait "$watch" || true
