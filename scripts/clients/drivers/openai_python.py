import json

from openai import OpenAI
from session import description, first, key, model, protocol, read_note, schema, second, url

# The strict validation raises an error for each answer that the SDK's types do not describe.
client = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, _strict_response_validation=True)


def chat():
    function = {"name": "read_note", "description": description, "parameters": schema, "strict": True}
    settings = {"model": model, "tools": [{"type": "function", "function": function}]}
    messages = [{"role": "user", "content": first}]
    with client.chat.completions.stream(messages=messages, **settings) as stream:
        streamed = stream.get_final_completion().choices[0].message
    messages.append(streamed.model_dump(exclude_none=True, exclude={"parsed"}))
    for call in messages[-1]["tool_calls"]:
        call["function"].pop("parsed_arguments", None)
        content = read_note(**json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
    answer = client.chat.completions.create(messages=messages, **settings).choices[0].message
    print(answer.content)
    messages += [answer, {"role": "user", "content": second}]
    with client.chat.completions.stream(messages=messages, **settings) as stream:
        print(stream.get_final_completion().choices[0].message.content)


def responses():
    tool = {"type": "function", "name": "read_note", "description": description, "parameters": schema, "strict": True}
    settings = {"model": model, "tools": [tool]}
    messages = [{"role": "user", "content": first}]
    with client.responses.stream(input=messages, store=False, **settings) as stream:
        streamed = stream.get_final_response()
    calls = [item for item in streamed.output if item.type == "function_call"]
    messages += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in streamed.output]
    for call in calls:
        output = read_note(**json.loads(call.arguments))
        messages.append({"type": "function_call_output", "call_id": call.call_id, "output": output})
    answer = client.responses.create(input=messages, **settings)
    print(answer.output_text)
    with client.responses.stream(previous_response_id=answer.id, input=second, **settings) as stream:
        print(stream.get_final_response().output_text)


{"chat": chat, "responses": responses}[protocol]()
