#!/usr/bin/env bash
# Runs fuzzing programs that were built elsewhere, on a machine that has nothing but a shell: tools/fuzz-carry makes the
# folder that this file is in: bin/NAME_fuzz, lib/, seeds/NAME/, targets.txt.
#
# Usage: run.sh JOBS SECONDS OUT      OUT/summary.json, OUT/corpora.tar.gz, OUT/findings.tar.gz, OUT/logs.tar.gz
# Every target runs for some seconds, JOBS processes at a time; then the time is shared out so that as many targets as
# possible come to GOAL executions (default 20,000,000), the fastest first; what is left over goes to all alike.
# CORPORA=FOLDER begins with what an earlier run learned (FOLDER/NAME/). TARGETS="a b": these alone.
set -uo pipefail
jobs=$1 seconds=$2 out=$3
export here work goal=${GOAL:-20000000} slice=${SLICE:-20}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export LD_LIBRARY_PATH=$here/lib
export ASAN_OPTIONS=symbolize=0:detect_leaks=0:abort_on_error=0:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1:symbolize=0
began=$(date +%s)
mkdir -p "$out" "$work"/{corpus,merged,log,findings,done}
# The sanitizer cannot have its place where addresses are too random.
export fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"

of() { awk -v name="$1" -v field="$2" '$1 == name {print $field}' "$here/targets.txt"; }  # NAME FIELD
flags() {  # NAME
  local program; program=$(of "$1" 2)
  echo "-max_len=$(of "$1" 3) -timeout=20 -rss_limit_mb=2560 -malloc_limit_mb=512 $(of "$1" 4)"
  [ ! -f "$here/dictionaries/$program.dict" ] || echo "-dict=$here/dictionaries/$program.dict"
}
export -f of flags

targets=(${TARGETS:-$(awk '!/^#/ {print $1}' "$here/targets.txt")})
for name in "${targets[@]}"; do
  mkdir -p "$work/corpus/$name" "$here/seeds/$(of "$name" 2)"
  [ -d "${CORPORA:-}/$name" ] && cp -r "${CORPORA}/$name/." "$work/corpus/$name/"
done

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
  echo "$name $executed $2" >"$work/done/$name.$3"
}
export -f fuzz

executed() { cat "$work"/done/"$1".* 2>/dev/null | awk '{n += $2; s += $3} END {print n + 0, s + 0}'; }

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

# What is left, but for the merging: a tenth. Of each target how many seconds of a processor it needs to come to the goal.
left=$((began + seconds * 9 / 10 - $(date +%s)))
for name in "${targets[@]}"; do echo "$name $(executed "$name")"; done |
  awk -v goal="$goal" '{rate = $2 / $3; if (rate < 1) rate = 1; need = (goal * 1.05 - $2) / rate; print $1, (need > 0 ? need : 0)}' |
  sort -k2 -n >"$work/needs"
awk -v total=$((left * jobs)) -v slice="$slice" '
  {name[NR] = $1; need[NR] = $2}
  END {
    for (i = 1; i <= NR; i++) {  # the rest in equal parts where it does not suffice
      share = need[i]; fair = total / (NR - i + 1)
      if (share > fair) share = fair
      given[i] = share; total -= share
    }
    for (i = 1; i <= NR; i++) given[i] += total / NR
    # Slices of all targets in turn, so that each has several processes at a time.
    for (round = 1; ; round++) {
      more = 0
      for (i = 1; i <= NR; i++) if (given[i] >= 1) {
        part = given[i] < 1.5 * slice ? given[i] : slice
        printf "%s %d %d\n", name[i], part + 0.5, round
        given[i] -= part; more = 1
      }
      if (!more) break
    }
  }' "$work/needs" >"$work/plan"
deadline=$((began + seconds * 92 / 100))
export deadline
part() { local rest=$((deadline - $(date +%s))); [ $rest -le 0 ] || fuzz "$1" $(($2 < rest ? $2 : rest)) "$3"; }
export -f part
xargs -r -P "$jobs" -L 1 bash -c 'part "$0" "$1" "$2"' <"$work/plan"

printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c 'merge {}'

{
  echo '{"jobs": '"$jobs"', "seconds": '$(($(date +%s) - began))', "targets": {'
  comma=
  for name in "${targets[@]}"; do
    read -r runs time < <(executed "$name")
    covered=$(grep -oE '(INITED|DONE) .*' "$work/log/$name.coverage" | tail -1)
    number() { sed -n "s/.*$1: \([0-9]*\).*/\1/p" <<<"$covered"; }
    printf '%s"%s": {"executions": %d, "processor_seconds": %d, "per_second": %d, "edges": %d, "features": %d, "corpus_files": %d, "corpus_bytes": %d, "findings": %d}' \
      "$comma" "$name" "$runs" "$time" $((time > 0 ? runs / time : 0)) "$(number cov)" "$(number ft)" \
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
cp "$work/plan" "$out/plan.txt"
rm -rf "$work"
cat "$out/summary.json"
