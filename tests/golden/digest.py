"""One short hash of plain data; floats by their first digits, so that machines agree."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

DIGITS: Final = 5
SMALL: Final = 1e-9
"""What lies below is rounding."""
LENGTH: Final = 8


def digest(value: Any) -> str:
    """The same for the same data, whatever records it stands in."""
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def plain(value: Any) -> Any:
    """Lists, names and rounded numbers."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        small = math.isfinite(value) and abs(value) < SMALL
        return "0" if small else f"{value:.{DIGITS}g}"
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return [plain(item) for item in value]
