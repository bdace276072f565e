#!/usr/bin/env bash
# The runs behind docs/lab/results.md. Stopped, each goes on where it was; hours on a small machine.
#   PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh OUT
#   python benchmarks/evals_summary.py OUT/*
set -eu
out=${1:?a folder for results}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
run() { privstamp evals run "$@"; }
ask() { run "$@" --model hf8:qwen-1.5b --replies "$out-replies"; }
small() { run "$@" --limit 100 --model hf8:qwen-0.5b --replies "$out-replies"; }

# The aims: many examples, three seeds or more.
classes="--limit 500 --reader tfidf --out $out/classes"
run restore --tasks ag_news,yelp --seeds 3 $classes
ask restore --tasks fantasy --limit 500 --seeds 4 --out "$out/fantasy" --only original \
    --only "surrogates, gold, restored"
ask restore --tasks fantasy --limit 500 --seeds 3 --out "$out/fantasy" \
    --only "every unit noised, dates and figures too, restored"
ask restore --tasks squad --limit 500 --seeds 3 --out "$out/squad" --only original \
    --only "surrogates, restored" --only surrogates
# All other rows.
run restore --tasks ag_news,yelp --limit 500 --reader minilm --out "$out/classes"
ask restore --tasks fantasy --limit 100 --out "$out/fantasy"
small restore --tasks squad --out "$out/squad"

run table1 --tasks ag_news,yelp --seeds 3 $classes
small table1 --tasks fantasy,squad --seeds 3 --out "$out/questions"
run stamp-vs-uniform --tasks ag_news,yelp --seeds 3 $classes
small stamp-vs-uniform --tasks fantasy --seeds 3 --out "$out/questions"
small stamp-vs-uniform --tasks squad --out "$out/questions"
run mechanisms --tasks ag_news,yelp --seeds 3 $classes
small mechanisms --tasks fantasy --out "$out/questions"
run tau --tasks ag_news,yelp --seeds 3 $classes
small tau --tasks fantasy,squad --out "$out/questions"
run baselines --tasks ag_news --limit 500 --reader tfidf --repair hf8:qwen-0.5b --out "$out/baselines"
run repair --tasks ag_news --limit 100 --reader tfidf --repair hf8:qwen-0.5b --out "$out/repair"
small repair --tasks fantasy --repair hf8:qwen-0.5b --out "$out/repair"
run overhead --tasks yelp --limit 6 --reader tfidf --out "$out/overhead"
