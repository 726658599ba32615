import OpenAI from 'openai';
import { description, first, key, model, protocol, readNote, schema, second, url } from './session.mjs';

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });

async function chat() {
  const tools = [{ type: 'function', function: { name: 'read_note', description, parameters: schema } }];
  const messages = [{ role: 'user', content: first }];
  const streamed = await client.chat.completions.stream({ model, messages, tools }).finalMessage();
  messages.push(streamed);
  for (const { id, function: call } of streamed.tool_calls)
    messages.push({ role: 'tool', tool_call_id: id, content: readNote(JSON.parse(call.arguments)) });
  const answer = await client.chat.completions.create({ model, messages, tools });
  console.log(answer.choices[0].message.content);
  messages.push(answer.choices[0].message, { role: 'user', content: second });
  const last = await client.chat.completions.stream({ model, messages, tools }).finalMessage();
  console.log(last.content);
}

async function responses() {
  const tools = [{ type: 'function', name: 'read_note', description, parameters: schema, strict: true }];
  const input = [{ role: 'user', content: first }];
  const store = false;
  const streamed = await client.responses.stream({ model, input, tools, store }).finalResponse();
  input.push(...streamed.output);
  for (const { call_id, arguments: given } of streamed.output.filter(({ type }) => type === 'function_call'))
    input.push({ type: 'function_call_output', call_id, output: readNote(JSON.parse(given)) });
  const answer = await client.responses.create({ model, input, tools });
  console.log(answer.output_text);
  const next = { model, previous_response_id: answer.id, input: second, tools };
  console.log((await client.responses.stream(next).finalResponse()).output_text);
}

await { chat, responses }[protocol]();
