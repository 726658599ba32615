"""The library sends an invalid call back to the model, with the error as the call's result."""

import instructor
import session
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel, field_validator
from session import first, key, model, protocol, url

paths = []


# The library names the tool after the class.
class read_note(BaseModel):
    path: str

    @field_validator("path")
    @classmethod
    def refuse_the_first_call(cls, path):
        paths.append(path)
        if len(paths) == 1:
            raise ValueError("Call the tool again.")
        return path


def client_of():
    if protocol == "messages":
        return instructor.from_anthropic(Anthropic(base_url=url, api_key=key))
    modes = {"chat": instructor.Mode.TOOLS, "responses": instructor.Mode.RESPONSES_TOOLS}
    return instructor.from_openai(OpenAI(base_url=f"{url}/v1", api_key=key), mode=modes[protocol])


client_of().chat.completions.create(
    model=model,
    messages=[{"role": "user", "content": first}],
    response_model=read_note,
    max_retries=2,
    **({"max_tokens": 1024} if protocol == "messages" else {}),
)
# The simulator takes the first path from the order. It invents the second one.
assert len(paths) == 2, paths
print("[simulated]", session.read_note(paths[0]))
