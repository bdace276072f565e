"""Frames of Spark, classic or Connect, through `mapInArrow`. Lazy: every action gives the same
rows."""

from __future__ import annotations

from typing import Any

from privstamp.batch.engine import COUNTED, check_frequencies, task
from privstamp.batch.frequencies import Occurrences
from privstamp.batch.plan import MARK, Plan, wanted
from privstamp.batch.secret import ENVIRONMENT, refuse_configured
from privstamp.errors import UsageError, VaultError

_VARIABLES = ("spark.executorEnv.", "spark.yarn.appMasterEnv.", "spark.kubernetes.driverEnv.")


def privatize(frame: Any, columns: Any, *, secret: str | None = None) -> Any:
    """The frame released by a plan; `secret` is a place on every machine that works."""
    work = task(columns, secret)
    _check_place(frame.sparkSession, work.secret)
    if told := work.plan.check(frame.columns):
        raise UsageError("; ".join(told))
    check_frequencies(work.plan, lambda name: _occurrences(frame, name))
    return frame.mapInArrow(work, _schema(frame, work.plan))


def _schema(frame: Any, plan: Plan) -> Any:
    types = wanted("pyspark.sql.types", "spark")
    dated = (types.DateType, types.TimestampType, types.TimestampNTZType)
    fields = []
    for name in plan.leaving:
        given = frame.schema[name].dataType
        column = plan.columns[name]
        stays = column.role == "release" or (column.kind == "date" and isinstance(given, dated))
        fields.append(types.StructField(name, given if stays else types.StringType()))
    marks = [types.StructField("rejected", types.StringType())]
    marks += [types.StructField(name, types.IntegerType()) for name in COUNTED]
    marks += [types.StructField("nats", types.DoubleType())]
    marks += [types.StructField("person", types.StringType())]
    return types.StructType([*fields, types.StructField(MARK, types.StructType(marks))])


def _check_place(session: Any, place: str) -> None:
    """A variable that the configuration may have set is refused."""
    if ".connect." in type(session).__module__:
        if place.startswith(ENVIRONMENT):
            raise VaultError(
                "a client of Spark Connect cannot see which variables the configuration sets, and "
                "its pages show: take a secret in a file on every machine, file:PATH"
            )
        return
    keys = [key for key, _ in session.sparkContext.getConf().getAll()]
    names = [key.removeprefix(start) for key in keys for start in _VARIABLES if start in key]
    refuse_configured(place, names, "Spark")


def _occurrences(frame: Any, name: str) -> Occurrences:
    functions = wanted("pyspark.sql.functions", "spark")
    counts = frame.groupBy(functions.col(name).cast("string").alias("value")).count()
    count = functions.when(functions.col("value") != "", functions.col("count"))
    [row] = counts.agg(
        functions.max(count), functions.sum(count), functions.count(count), functions.sum("count")
    ).collect()
    most, filled, distinct, rows = (int(value or 0) for value in row)
    return Occurrences(most, filled - distinct, rows)
