"""The process behind `hf:` models that answer: `chat_process` with many prompts at a time.

Started as `python -m privstamp.models.batch_process`.
"""

from __future__ import annotations

import os

from privstamp.models.batched import Batched
from privstamp.models.chat_process import main
from privstamp.models.chat_transformer import ChatTransformer

if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"  # before the library is imported: nothing is ever fetched
    main(lambda path, threads: Batched(ChatTransformer(path, threads=threads)))
