from anthropic import Anthropic
from session import description, first, key, model, read_note, schema, second, url

# The strict validation raises an error for each answer that the SDK's types do not describe.
client = Anthropic(base_url=url, api_key=key, max_retries=0, _strict_response_validation=True)
tools = [{"name": "read_note", "description": description, "input_schema": schema}]
thinking = {"type": "enabled", "budget_tokens": 1024}
settings = {"model": model, "max_tokens": 4096, "thinking": thinking, "tools": tools}
messages = [{"role": "user", "content": first}]


def text_of(message):
    return next(block.text for block in message.content if block.type == "text")


with client.messages.stream(messages=messages, **settings) as stream:
    streamed = stream.get_final_message()
calls = [block for block in streamed.content if block.type == "tool_use"]
results = [{"type": "tool_result", "tool_use_id": call.id, "content": read_note(**call.input)} for call in calls]
messages += [{"role": "assistant", "content": streamed.content}, {"role": "user", "content": results}]
answer = client.messages.create(messages=messages, **settings)
print(text_of(answer))
messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": second}]
with client.messages.stream(messages=messages, **settings) as stream:
    print(text_of(stream.get_final_message()))
