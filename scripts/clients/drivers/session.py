"""What a session of a library needs: where the model is, what to ask, and the tool."""

import os
from pathlib import Path

url = os.environ["TOLLGATE_URL"]
key = os.environ["TOLLGATE_KEY"]
model = os.environ["MODEL"]
protocol = os.environ["PROTOCOL"]
first = 'call read_note with {"path":"note.txt"}'
second = "say: second turn"
description = "Reads a note."
schema = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


def read_note(path: str) -> str:
    """Reads a note."""
    return Path(path).read_text()
