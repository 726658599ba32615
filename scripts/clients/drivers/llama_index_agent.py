import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context
from llama_index.llms.openai_like import OpenAILike, OpenAILikeResponses
from session import first, key, model, protocol, read_note, second, url


async def main():
    kind = OpenAILikeResponses if protocol == "responses" else OpenAILike
    settings = {"is_chat_model": True, "is_function_calling_model": True, "context_window": 100_000}
    llm = kind(model=model, api_base=f"{url}/v1", api_key=key, max_retries=0, **settings)
    agent = FunctionAgent(tools=[read_note], llm=llm, system_prompt="Read notes.")
    context = Context(agent)
    print(await agent.run(first, ctx=context))
    print(await agent.run(second, ctx=context))


asyncio.run(main())
