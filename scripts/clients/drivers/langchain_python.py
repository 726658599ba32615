from langchain.agents import create_agent
from langchain.tools import tool
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from session import first, key, model, protocol, read_note, second, url

openai = {"model": model, "base_url": f"{url}/v1", "api_key": key, "max_retries": 0}
models = {
    "chat": lambda: ChatOpenAI(**openai),
    "responses": lambda: ChatOpenAI(use_responses_api=True, **openai),
    "messages": lambda: ChatAnthropic(model=model, base_url=url, api_key=key, max_retries=0),
}
agent = create_agent(models[protocol](), tools=[tool(read_note)])
answer = agent.invoke({"messages": [{"role": "user", "content": first}]})
print(answer["messages"][-1].text)
messages = [*answer["messages"], {"role": "user", "content": second}]
for part, _ in agent.stream({"messages": messages}, stream_mode="messages"):
    print(part.text, end="")
