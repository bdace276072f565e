#!/usr/bin/env bash
# The runs behind docs/results.md. Stopped, each goes on where it was; hours on a small machine.
#   PRIVSTAMP_DATA=FOLDER bash benchmarks/evals.sh OUT
#   python benchmarks/results_page.py OUT/*
set -eu
out=${1:?a folder for results}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
run() { privstamp evals run "$@"; }
ask() { run "$@" --model hf:qwen-1.5b --replies "$out-replies"; }

ask restore --tasks fantasy --limit 500 --seeds 2 --out "$out/fantasy" --only original \
    --only "surrogates, gold, restored"
ask restore --tasks fantasy --limit 500 --out "$out/fantasy" \
    --only "every unit noised, dates and figures too, restored"
ask restore --tasks squad --limit 500 --out "$out/squad" --only original \
    --only "surrogates, restored" --only surrogates
classes="--limit 500 --out $out/classes"
run restore --tasks ag_news,yelp --seeds 3 --reader tfidf $classes
run restore --tasks ag_news --reader minilm $classes
run table1 --tasks ag_news --seeds 3 --reader tfidf $classes
run stamp-vs-uniform --tasks ag_news --seeds 3 --reader tfidf $classes
run mechanisms --tasks ag_news --reader tfidf $classes
run tau --tasks ag_news --reader tfidf $classes
run table1 --tasks yelp --reader tfidf $classes
run overhead --limit 20 --reader tfidf --out "$out/overhead"
