"""The library returns the arguments of a forced call. It sends an invalid call back to the model with the error as the call's result."""

import instructor
import session
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel, field_validator

calls = []


class read_note(BaseModel):
    path: str

    @field_validator("path")
    @classmethod
    def is_valid_the_second_time(cls, path):
        calls.append(path)
        if len(calls) == 1:
            raise ValueError("Call the tool again.")
        return path


access = {"base_url": f"{session.url}/v1", "api_key": session.key}
clients = {
    "chat": lambda: instructor.from_openai(OpenAI(**access)),
    "responses": lambda: instructor.from_openai(OpenAI(**access), mode=instructor.Mode.RESPONSES_TOOLS),
    "messages": lambda: instructor.from_anthropic(Anthropic(base_url=session.url, api_key=session.key)),
}
limits = {"max_tokens": 1024} if session.protocol == "messages" else {}
clients[session.protocol]().chat.completions.create(
    model=session.model,
    messages=[{"role": "user", "content": session.first}],
    response_model=read_note,
    max_retries=2,
    **limits,
)
# The order is not the last text of the second request, so that the simulator invents the second path.
assert len(calls) == 2, calls
print("[simulated]", session.read_note(calls[0]))
