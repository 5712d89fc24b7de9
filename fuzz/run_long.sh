#!/usr/bin/env bash
# Runs fuzzing programs that were built elsewhere, on a machine that has nothing but a shell: tools/fuzz-carry makes the
# folder that this file is in: bin/NAME_fuzz, lib/, seeds/NAME/, targets.txt.
#
# Usage: run.sh JOBS SECONDS OUT      OUT/summary.json, OUT/done.txt, OUT/corpora.tar.gz, OUT/findings.tar.gz, OUT/logs.tar.gz
# Every target runs for some seconds, JOBS processes at a time; then whichever lacks the least time to GOAL executions
# (default 20,000,000) runs next, so that as many as possible come to it; then the one that ran least.
# CORPORA=FOLDER or corpora.tar.gz begins with what an earlier run learned (FOLDER/NAME/). DONE=FILE: the executions of
# earlier runs, "NAME EXECUTIONS" a line, which count too: done.txt is such a file. TARGETS="a b": these alone.
set -uo pipefail
jobs=$1 seconds=$2 out=$3
export here work goal=${GOAL:-20000000} slice=${SLICE:-20}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export LD_LIBRARY_PATH=$here/lib
# What is freed stays barred until 32 MiB more are: far longer than one execution. Of new memory the first bytes are filled.
export ASAN_OPTIONS=quarantine_size_mb=32:malloc_context_size=4:max_malloc_fill_size=256:symbolize=0:detect_leaks=0:abort_on_error=0:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1:symbolize=0
began=$(date +%s)
mkdir -p "$out" "$work"/{corpus,merged,log,findings}
touch "$work"/{done,turns}
# The sanitizer cannot have its place where addresses are too random.
export fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

of() { awk -v name="$1" -v field="$2" '$1 == name {print $field}' "$here/targets.txt"; }  # NAME FIELD
flags() {  # NAME
  local program; program=$(of "$1" 2)
  # Of two inputs that cover as much the one that takes less time is changed more often.
  echo "-entropic_scale_per_exec_time=1 -detect_leaks=0 -max_len=$(of "$1" 3) -timeout=20 -rss_limit_mb=2560 -malloc_limit_mb=512 $(of "$1" 4)"
  [ ! -f "$here/dictionaries/$program.dict" ] || echo "-dict=$here/dictionaries/$program.dict"
}
export -f of flags

targets=(${TARGETS:-$(awk '!/^#/ {print $1}' "$here/targets.txt")})
for name in "${targets[@]}"; do
  mkdir -p "$work/corpus/$name" "$here/seeds/$(of "$name" 2)"
  [ -d "${CORPORA:-}/$name" ] && cp -r "${CORPORA}/$name/." "$work/corpus/$name/"
done
[ ! -f "${CORPORA:-}" ] || tar xzf "$CORPORA" -C "$work/corpus"

# One process of one target for some seconds; after a finding another one, until the time is over.
fuzz() {  # NAME SECONDS NUMBER
  local name=$1 program; program=$(of "$1" 2)
  local until=$(($(date +%s) + $2)) log=$work/log/$1.$3 executed=0 tries=0 left status units
  while left=$((until - $(date +%s))); [ "$left" -gt 0 ] && [ $((tries++)) -lt 12 ]; do
    $fixed "$here/bin/${program}_fuzz" $(flags "$name") -max_total_time="$left" -print_final_stats=1 -reload=1 \
      -artifact_prefix="$work/findings/$name-" "$work/corpus/$name" "$here/seeds/$program" >"$log" 2>&1
    status=$?
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    executed=$((executed + ${units:-0}))
    [ $status -eq 0 ] || cp "$log" "$log.failed$tries"
  done
  echo "$name $executed $2" >>"$work/done"
}
export -f fuzz

before() { awk -v name="$1" '$1 == name {n = $2} END {print n + 0}' "${DONE:-/dev/null}"; }
executed() { awk -v name="$1" '$1 == name {n += $2; s += $3} END {print n + 0, s + 0}' "$work/done"; }

merge() {  # NAME
  local name=$1 program; program=$(of "$1" 2)
  mkdir -p "$work/merged/$name"
  timeout 100 $fixed "$here/bin/${program}_fuzz" $(flags "$name") -merge=1 "$work/merged/$name" "$work/corpus/$name" \
    "$here/seeds/$program" >"$work/log/$name.merge" 2>&1 || cp -n "$work/corpus/$name"/* "$work/merged/$name/" 2>/dev/null
  timeout 60 $fixed "$here/bin/${program}_fuzz" $(flags "$name") -runs=0 "$work/merged/$name" >"$work/log/$name.coverage" 2>&1
  return 0
}
export -f merge

# First a look at each.
first=$((seconds / 40)); [ $first -ge 2 ] || first=2
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c "fuzz {} $first first"

# Whose turn it is: turns has a line for each slice that began, which counts as if it had its executions already.
next_target() {
  cat "${DONE:-/dev/null}" <(echo '=') "$work/done" <(echo '=') "$work/turns" <(echo '=') <(printf '%s\n' $names) |
    awk -v goal="$goal" -v slice="$slice" -v first="$first" '
      $1 == "=" {++part; next}
      part == 0 {before[$1] = $2}
      part == 1 {runs[$1] += $2; spent[$1] += $3}
      part == 2 {given[$1] += slice}
      part == 3 {
        rate = spent[$1] > 0 && runs[$1] > spent[$1] ? runs[$1] / spent[$1] : 1
        time = spent[$1] > first + given[$1] ? spent[$1] : first + given[$1]
        lack = (goal - before[$1]) / rate - time
        rank = lack > 0 ? lack : 1e12 + time
        if (best == "" || rank < least) {best = $1; least = rank}
      }
      END {print best}'
}
# A tenth of the time is for the merging.
deadline=$((began + seconds * 9 / 10))
worker() {
  local name left turn=0
  while left=$((deadline - $(date +%s))); [ $left -gt 1 ]; do
    name=$(flock "$work/turns" bash -c 'name=$(next_target); echo "$name" >>"$work/turns"; echo "$name"')
    fuzz "$name" $((left < slice ? left : slice)) "$1.$((turn++))"
  done
}
export first deadline names="${targets[*]}"
export -f next_target worker
seq "$jobs" | xargs -P "$jobs" -I {} bash -c 'worker {}'

printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c 'merge {}'

rm -f "$out/done.txt"
{
  echo '{"jobs": '"$jobs"', "seconds": '$(($(date +%s) - began))', "targets": {'
  comma=
  for name in "${targets[@]}"; do
    read -r runs time < <(executed "$name")
    earlier=$(before "$name")
    echo "$name $((earlier + runs))" >>"$out/done.txt"
    covered=$(grep -oE '(INITED|DONE) .*' "$work/log/$name.coverage" | tail -1)
    number() { sed -n "s/.*$1: \([0-9]*\).*/\1/p" <<<"$covered"; }
    printf '%s"%s": {"executions": %d, "executions_before": %d, "processor_seconds": %d, "per_second": %d, "edges": %d, "features": %d, "corpus_files": %d, "corpus_bytes": %d, "findings": %d}' \
      "$comma" "$name" "$runs" "$earlier" "$time" $((time > 0 ? runs / time : 0)) "$(number cov)" "$(number ft)" \
      "$(find "$work/merged/$name" -type f | wc -l)" "$(find "$work/merged/$name" -type f -printf '%s\n' | awk '{n += $1} END {print n + 0}')" \
      "$(find "$work/findings" -name "$name-*" | wc -l)"
    comma=$',\n'
  done
  echo '}}'
} >"$out/summary.json"
# What the limit on what comes back allows: the largest inputs stay behind.
limit=${CORPUS_LIMIT:-$((60 << 20))}
(cd "$work/merged" && find . -type f -printf '%s %p\n' | sort -n | awk -v limit="$limit" '{n += $1; if (n <= limit) print $2}' | tar czf "$work/corpora.tar.gz" -T -)
while [ "$(stat -c %s "$work/corpora.tar.gz")" -gt $((15 << 20)) ]; do
  limit=$((limit * 2 / 3))
  (cd "$work/merged" && find . -type f -printf '%s %p\n' | sort -n | awk -v limit="$limit" '{n += $1; if (n <= limit) print $2}' | tar czf "$work/corpora.tar.gz" -T -)
done
cp "$work/corpora.tar.gz" "$out/"
tar czf "$out/findings.tar.gz" -C "$work" findings
(cd "$work/log" && find . \( -name '*.failed*' -o -name '*.merge' -o -name '*.coverage' -o -name '*.first' \) -size -200k | tar czf "$out/logs.tar.gz" -T -)
rm -rf "$work"
cat "$out/summary.json"
