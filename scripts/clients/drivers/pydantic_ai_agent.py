from anthropic import AsyncAnthropic
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from session import first, key, model, protocol, read_note, second, url


def model_of():
    if protocol == "messages":
        client = AsyncAnthropic(base_url=url, api_key=key, max_retries=0)
        return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
    kind = OpenAIResponsesModel if protocol == "responses" else OpenAIChatModel
    return kind(model, provider=OpenAIProvider(base_url=f"{url}/v1", api_key=key))


agent = Agent(model_of(), tools=[read_note])
answer = agent.run_sync(first)
print(answer.output)
streamed = agent.run_stream_sync(second, message_history=answer.all_messages())
print(streamed.get_output())
