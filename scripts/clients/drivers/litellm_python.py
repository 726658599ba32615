import json

import litellm
from session import description, first, key, model, protocol, read_note, schema, second, url

provider, base = ("anthropic", url) if protocol == "messages" else ("openai", f"{url}/v1")
function = {"name": "read_note", "description": description, "parameters": schema}
settings = {
    "model": f"{provider}/{model}",
    "api_base": base,
    "api_key": key,
    "num_retries": 0,
    "tools": [{"type": "function", "function": function}],
}
messages = [{"role": "user", "content": first}]
parts = list(litellm.completion(messages=messages, stream=True, **settings))
called = litellm.stream_chunk_builder(parts, messages=messages).choices[0].message
messages.append(called)
for call in called.tool_calls:
    content = read_note(**json.loads(call.function.arguments))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
answer = litellm.completion(messages=messages, **settings).choices[0].message
print(answer.content)
messages += [answer, {"role": "user", "content": second}]
print(litellm.completion(messages=messages, **settings).choices[0].message.content)
