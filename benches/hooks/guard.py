"""The reference guard: refuses to delete everything below the root, says nothing to the rest."""

import json
import sys

call = json.load(sys.stdin)
command = call.get("tool_input", {}).get("command", "")
if "rm -rf /" in command:
    print("This would delete everything. Name the folder that is meant.", file=sys.stderr)
    sys.exit(2)
