import asyncio

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool
from session import first, key, model, protocol, read_note, second, url


async def main():
    provider = OpenAIProvider(base_url=f"{url}/v1", api_key=key, use_responses=protocol == "responses")
    config = RunConfig(model_provider=provider, tracing_disabled=True)
    agent = Agent(name="Reader", instructions="Read notes.", model=model, tools=[function_tool(read_note)])
    streamed = Runner.run_streamed(agent, first, run_config=config)
    async for _ in streamed.stream_events():
        pass
    print(streamed.final_output)
    history = [*streamed.to_input_list(), {"role": "user", "content": second}]
    print((await Runner.run(agent, history, run_config=config)).final_output)


asyncio.run(main())
