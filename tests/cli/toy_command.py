"""The privstamp command with the toy space among its parts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from privstamp import registry
from privstamp.cli import main

registry.SPACES._builtin = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
if __name__ == "__main__":
    main()
