import Anthropic from '@anthropic-ai/sdk';
import { description, first, key, model, readNote, schema, second, url } from './session.mjs';

const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
const tools = [{ name: 'read_note', description, input_schema: schema }];
const messages = [{ role: 'user', content: first }];
const settings = { model, max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 1024 }, tools };
const textOf = ({ content }) => content.find(({ type }) => type === 'text').text;

const streamed = await client.messages.stream({ ...settings, messages }).finalMessage();
const calls = streamed.content.filter(({ type }) => type === 'tool_use');
const results = calls.map(({ id, input }) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: readNote(input),
}));
messages.push({ role: 'assistant', content: streamed.content }, { role: 'user', content: results });
const answer = await client.messages.create({ ...settings, messages });
console.log(textOf(answer));
messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: second });
console.log(textOf(await client.messages.stream({ ...settings, messages }).finalMessage()));
