"""The process behind `hf:` models that answer: `chat_process` with many prompts at a time.

Started as `python -m privstamp.models.batch_process`, with `int8` for weights in bytes.
"""

from __future__ import annotations

import os
import sys

from privstamp.models.batched import Batched
from privstamp.models.chat_process import main
from privstamp.models.chat_transformer import ChatTransformer

if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"  # before the library is imported: nothing is ever fetched
    int8 = sys.argv[1:] == ["int8"]
    main(lambda path, threads: Batched(ChatTransformer(path, threads=threads, int8=int8)))
