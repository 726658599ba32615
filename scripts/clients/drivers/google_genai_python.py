from google import genai
from google.genai import types
from session import description, first, key, model, read_note, schema, second, url

client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))
declaration = types.FunctionDeclaration(name="read_note", description=description, parameters_json_schema=schema)
config = types.GenerateContentConfig(
    tools=[types.Tool(function_declarations=[declaration])],
    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
)
chat = client.chats.create(model=model, config=config)
parts = [
    part
    for chunk in chat.send_message_stream(first)
    for candidate in chunk.candidates or []
    for part in (candidate.content and candidate.content.parts) or []
]
results = [
    types.Part(
        function_response=types.FunctionResponse(
            id=part.function_call.id,
            name=part.function_call.name,
            response={"output": read_note(**part.function_call.args)},
        )
    )
    for part in parts
    if part.function_call
]
print(chat.send_message(results).text)
print("".join(chunk.text or "" for chunk in chat.send_message_stream(second)))
