"""Runs the page's unit tests where its packages are there.   test.py STAMP NODE"""

import json
import os
import sys
from pathlib import Path

missing = json.loads(Path(sys.argv[1]).read_text())["missing"]
if missing:
    print(f"1..0 # SKIP {missing.splitlines()[0]}")
else:
    os.execv(sys.argv[2], [sys.argv[2], str(Path(__file__).parent / "tools/test.mjs")])
