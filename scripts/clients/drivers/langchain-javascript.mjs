import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { description, first, key, model, protocol, readNote, schema, second, url } from './session.mjs';

const openai = (settings) =>
  new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${url}/v1` }, ...settings });
const models = {
  chat: () => openai({}),
  responses: () => openai({ useResponsesApi: true }),
  messages: () => new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, maxRetries: 0 }),
};
const tools = [tool(async (input) => readNote(input), { name: 'read_note', description, schema })];
const agent = createAgent({ model: models[protocol](), tools });

const answer = await agent.invoke({ messages: [{ role: 'user', content: first }] });
console.log(answer.messages.at(-1).text);
const messages = [...answer.messages, { role: 'user', content: second }];
for await (const [part] of await agent.stream({ messages }, { streamMode: 'messages' }))
  process.stdout.write(part.text);
