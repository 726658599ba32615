import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { description, first, key, model, protocol, readNote, schema, second, url } from './session.mjs';

const modelProvider = new OpenAIProvider({
  baseURL: `${url}/v1`,
  apiKey: key,
  useResponses: protocol === 'responses',
});
const runner = new Runner({ modelProvider, tracingDisabled: true });
const execute = async (input) => readNote(input);
const tools = [tool({ name: 'read_note', description, parameters: schema, strict: true, execute })];
const agent = new Agent({ name: 'Reader', instructions: 'Read notes.', model, tools });

const streamed = await runner.run(agent, first, { stream: true });
await streamed.completed;
console.log(streamed.finalOutput);
const input = [...streamed.history, { role: 'user', content: second }];
console.log((await runner.run(agent, input)).finalOutput);
