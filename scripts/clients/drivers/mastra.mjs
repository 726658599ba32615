import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { description, first, key, model, protocol, readNote, second, url } from './session.mjs';

const access = { baseURL: `${url}/v1`, apiKey: key };
const models = {
  chat: () => createOpenAI(access).chat(model),
  responses: () => createOpenAI(access)(model),
  messages: () => createAnthropic(access)(model),
};
const execute = async (input) => readNote(input.context ?? input);
const note = createTool({
  id: 'read_note',
  description,
  inputSchema: z.object({ path: z.string() }),
  execute,
});
const agent = new Agent({
  id: 'reader',
  name: 'Reader',
  instructions: 'Read notes.',
  model: models[protocol](),
  tools: { read_note: note },
});

const streamed = await agent.stream([{ role: 'user', content: first }], { maxSteps: 3 });
const text = await streamed.text;
console.log(text);
const history = [
  { role: 'user', content: first },
  ...(await streamed.response).messages,
  { role: 'user', content: second },
];
console.log((await agent.generate(history, { maxSteps: 3 })).text);
process.exit(0);
