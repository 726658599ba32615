import { expect, test } from 'bun:test';
import { createSimulator } from './simulator.ts';

const simulator = createSimulator();

async function ask(path: string, body: object): Promise<{ status: number; text: string }> {
  const request = new Request(`http://simulator/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  const answer = await simulator.handle(request);
  return { status: answer.status, text: await answer.text() };
}
const chat = (messages: object[], rest: object = {}) =>
  ask('/chat/completions', { model: 'm', messages, ...rest });
const messages = (turns: object[], rest: object = {}) =>
  ask('/messages', { model: 'm', max_tokens: 900, messages: turns, ...rest });

test('an address of a file without a comma is refused at once', async () => {
  const file = { file_data: `data:${'a'.repeat(2_000_000)}` };
  expect((await chat([{ role: 'user', content: [{ type: 'file', file }] }])).status).toBe(400);
});

test('a turn can have many calls and results', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, at) => `call_${at}`);
  const uses = numbers.map((id) => ({ type: 'tool_use', id, name: 'a', input: {} }));
  const results = numbers.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: '' }));
  const first = { role: 'user', content: 'hello' };
  const turns = [first, { role: 'assistant', content: uses }, { role: 'user', content: results }];
  expect((await messages(turns)).status).toBe(200);
  const missing = [...turns.slice(0, 2), { role: 'user', content: results.slice(1) }];
  expect((await messages(missing)).text).toContain("'call_0' has no tool result");
});

test('a conversation can have calls of functions from before tools', async () => {
  const call = { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } };
  const result = { role: 'function', name: 'find', content: 'found' };
  const user = { role: 'user', content: 'hello' };
  expect((await chat([user, call, result, call, result])).status).toBe(200);
  expect((await chat([user, result])).text).toContain("'find' has no tool call");
});

test('a conversation can add many tools', async () => {
  const added = (name: string) => {
    const definition = { name, input_schema: { type: 'object' } };
    return { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
  };
  const content = Array.from({ length: 10_000 }, (_, at) => added(`tool_${at}`));
  const turns = [
    { role: 'user', content: 'hello' },
    { role: 'system', content: [...content, added('tool_3')] },
  ];
  const { text } = await messages([...turns, { role: 'user', content: 'use a tool' }]);
  expect(JSON.parse(text).content[0].name).toBe('tool_0');
});

test('a transcript can end with spaces', async () => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(9)], 'a.wav'));
  form.set('model', 'm');
  form.set('stream', 'true');
  form.set('prompt', `say: a b${' '.repeat(300_000)}`);
  const url = 'http://simulator/v1/audio/transcriptions';
  const answer = await simulator.handle(new Request(url, { method: 'POST', body: form }));
  const deltas = [...(await answer.text()).matchAll(/"delta":"(\s*\S*)/g)].map(([, delta]) => delta);
  expect(deltas.slice(0, 2)).toEqual(['a"}', ' b"}']);
});

test('the chunks of an answer to a long request are written fast', async () => {
  const long = 'a word and '.repeat(60_000);
  const turns = [
    { role: 'user', content: `${long}` },
    { role: 'assistant', content: 'b' },
  ];
  const { text } = await chat([...turns, { role: 'user', content: 'count to 20000' }], { stream: true });
  expect(new Set(text.match(/"id":"[^"]+"/g)).size).toBe(1);
});

test('choices share one text under their numbers', async () => {
  const { text } = await chat([{ role: 'user', content: 'say: a b' }], { n: 3 });
  const said = JSON.parse(text).choices.map(
    (choice: { message: { content: string } }) => choice.message.content,
  );
  expect(said).toEqual(['[simulated] a b', '[simulated] (choice 2) a b', '[simulated] (choice 3) a b']);
  const prompts = Array.from({ length: 100 }, () => 'a');
  expect((await ask('/completions', { model: 'm', prompt: prompts, n: 100 })).status).toBe(400);
});

test('a long text to embed takes as long as its first words', async () => {
  const input = Array.from({ length: 300_000 }, (_, at) => `w${at % 100}`).join(' ');
  const { status } = await ask('/embeddings', { model: 'm', input, dimensions: 16_384 });
  expect(status).toBe(200);
});
