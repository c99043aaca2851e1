#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# docs/scaling.md: data engines of Python, which pip installs beside the
# command, in scale/.  What is not to be had is named, and has failed.
# Use: tests/scale/engines.sh PATH-OF-TOOLWIRE
# shellcheck source=tests/scale/common.sh
. "$(dirname "$0")/common.sh"
trap 'rm -rf "$work"' EXIT
require python3 python3-venv
here=$(realpath "$(dirname "$0")")
build=$(realpath "$(dirname "$1")")
home=$build/scale
python=$home/bin/python

# Nothing of this machine's may help, and nobody outside is asked or told.
unset PYTHONPATH PYTHONHOME SPARK_HOME PYSPARK_SUBMIT_ARGS
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=$work/tmp
export HF_HOME=$work/tmp/hf HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1
export SPARK_LOCAL_IP=127.0.0.1 SPARK_CONF_DIR=$work/spark \
    PYSPARK_PYTHON=$python
mkdir "$TMPDIR" "$SPARK_CONF_DIR"
cd "$work" || exit 2
# As many rows as make several tasks.
cat >spark/spark-defaults.conf <<'end'
spark.master local-cluster[2,1,1024]
spark.sql.files.maxPartitionBytes 3m
spark.ui.enabled false
end

# ---- what is installed -----------------------------------------------------

# install PACKAGE...: of the versions that are pinned.
install() {
    local package
    for package; do
        "$python" -m pip install -q -c "$here/requirements.txt" "$package" \
            >"$work/log" 2>&1 || return
    done
}

[ -x "$python" ] || python3 -m venv "$home" >log 2>&1
verdict 'a virtual environment' $?
TOOLWIRE_LIBRARY=$build/libtoolwire.so "$python" -m pip install -q \
    --force-reinstall --no-deps "$here/../../src/bindings/python" >log 2>&1
verdict 'the package toolwire' $?
install pyarrow
verdict 'pyarrow is to be had' $?

# Where the workers of local-cluster say what they do.
spark_work=$(echo "$home"/lib/python3*/site-packages)/pyspark/work
engines=
for engine in datasets duckdb polars pyspark; do
    # What Spark wants for mapInArrow.
    [ $engine = pyspark ] && also=pandas || also=
    install $engine $also
    status=$?
    if [ $engine = pyspark ] && ! java -version >>log 2>&1; then
        echo 'Java is missing (Debian: apt-get install' \
            'openjdk-17-jre-headless)' >>log
        status=1
    fi
    verdict "$engine is to be had" $status
    if [ $status -ne 0 ]; then
        continue
    fi
    "$python" -m pip list --format freeze | grep "^$engine=="
    engines="$engines ${engine/pyspark/spark}"
done
case $engines in
*duckdb*) engines="$engines duckdb-reads" ;;
esac

# ---- the recipes -----------------------------------------------------------

# rows HOW: what the engines call: the page's, or one to compare it with.
rows() {
    case $1 in
    toolwire) recipe rows >rows.py ;;
    python) cp "$here/pure.py" rows.py ;;
    nothing) printf 'def convert(line):\n    return line\n' >rows.py ;;
    esac
}

# engine NAME: runs the recipe, and has its rows as lines in out.jsonl; sets
# |status|, and |seconds|, those of the recipe.
engine() {
    recipe "$1" >/dev/null
    rm -rf out.parquet out.jsonl
    local begun
    begun=$(date +%s%N)
    if [ "$1" = duckdb-reads ]; then
        PATH=$work/bin:$home/bin:$PATH bash recipe >log 2>&1 </dev/null
    else
        cp recipe recipe.py
        "$python" recipe.py >log 2>&1 </dev/null
    fi
    status=$?
    seconds=$((($(date +%s%N) - begun) / 1000000))
    seconds=$((seconds / 1000)).$(printf %03d $((seconds % 1000)))
    "$python" "$here/parquet_lines.py" out.parquet >out.jsonl 2>>log
}

# Lines end at a line feed and nowhere else, and a bad one is answered.
# DuckDB refuses a carriage return, and has a log without one.
{
    printf '%s\n' '{"text":"<tool_call>{\"name\":\"pay\",\"arguments\":{"}' \
        '{"text' '' '5' '{"text":5}' '{"text":"\u0000\ud800"}' '   ' \
        '{"text":"a"}'$'\r' '""' '{"text":"\"a\",'$'\302\205\342\200\250\001"}'
    sed 100q log.jsonl
} >carriage.jsonl
tr -d '\r' <carriage.jsonl >odd.jsonl
mv log.jsonl good.jsonl
rows toolwire
rm -rf "$spark_work"
for log in carriage odd good; do
    ln -sf $log.jsonl log.jsonl
    toolwire convert -f hermes -t openai --unit completion log.jsonl \
        >whole.jsonl 2>/dev/null
    for engine in $engines; do
        engine $engine
        if [ $log-$engine = carriage-duckdb ]; then
            [ $status -ne 0 ] && [ ! -e out.parquet ]
            verdict 'duckdb: a carriage return is refused' $?
            continue
        fi
        fine "$engine, $log lines"
        same "$engine, $log lines" out.jsonl whole.jsonl
    done
done

# ---- an executor that dies -------------------------------------------------

case $engines in
*spark*)
    [ "$(grep -l 'Finished task' "$spark_work"/*/*/stderr | wc -l)" -ge 2 ]
    verdict 'spark: both workers had a part' $?
    { echo "DIED = '$work/died'" && cat "$here/dying.py"; } >>rows.py
    engine spark
    fine 'spark, an executor is killed'
    [ -s died ] && grep -q 'Lost executor' log
    verdict 'spark: an executor was killed, and lost' $?
    same 'spark, an executor is killed' out.jsonl whole.jsonl
    ;;
esac

# ---- how fast --------------------------------------------------------------

for _ in 1 2 3; do
    cat good.jsonl
done >many.jsonl
ln -sf many.jsonl log.jsonl
count=$(wc -l <many.jsonl)
echo "rows a second, of $count, starting the engine included:"
printf '%-14s %12s %12s %12s\n' '' 'rows as is' 'Python' 'toolwire'
for engine in loop $engines; do
    line=$(printf '%-14s' "$engine")
    for how in nothing python toolwire; do
        case $engine-$how in
        duckdb-reads-[np]*)
            line="$line $(printf %12s -)"
            continue
            ;;
        esac
        rows $how
        if [ "$engine" = loop ]; then
            cp "$here/loop.py" loop.py
            seconds=$("$python" loop.py log.jsonl 2>log)
            status=$?
        else
            engine "$engine"
            [ "$(wc -l <out.jsonl)" -eq "$count" ] || status=1
        fi
        fine "$engine, $count rows, $how"
        line="$line $(awk -v n="$count" -v s="$seconds" \
            'BEGIN { printf "%12d", n / s }')"
    done
    echo "$line"
done

finish
