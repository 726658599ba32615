import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { parseMisbehaviour, settingNames } from './parse-misbehaviour.ts';
import { createSimulator } from './simulator.ts';

const page = readFileSync(new URL('../../../docs/simulator.md', import.meta.url), 'utf8');

test('the documentation lists each fault with an example that the simulator accepts', () => {
  const examples = [...page.matchAll(/^\| `([a-z0-9-]+=[^`]+)` \|/gm)].map(([, example]) => example!);
  expect(examples.map((example) => example.split('=')[0]!).sort()).toEqual([...settingNames].sort());
  for (const example of examples) expect(parseMisbehaviour(`m!${example}`)).not.toHaveProperty('problem');
  const inRow = /"(some-model![^"]+)"/.exec(page)![1]!;
  expect(parseMisbehaviour(inRow)).toEqual({
    model: 'some-model',
    misbehaviour: { status: 503, retryAfter: '2', every: 3 },
  });
});

test('the simulator calls a tool that an additional_tools item brings', async () => {
  const tool = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } };
  const body = {
    model: 'm',
    input: [
      { type: 'additional_tools', role: 'developer', tools: [tool] },
      { role: 'user', content: 'use a tool' },
    ],
  };
  const request = new Request('http://simulator/v1/responses', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const answer: unknown = await (await createSimulator().handle(request)).json();
  expect(answer).toMatchObject({ output: [{ type: 'function_call', name: 'get_weather' }] });
});

for (const fields of [
  { reasoning_effort: 'low' },
  { reasoning: { effort: 'low' } },
  { reasoning: { enabled: true } },
  { reasoning: { max_tokens: 1_024 } },
  { thinking: { type: 'enabled' } },
  { enable_thinking: true },
  { chat_template_kwargs: { enable_thinking: true } },
  { chat_template_kwargs: { thinking: true } },
])
  test(`the simulator thinks if a host's own field asks for it: ${JSON.stringify(fields)}`, async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }], ...fields };
    const url = 'http://simulator/v1/chat/completions';
    const request = new Request(url, { method: 'POST', body: JSON.stringify(body) });
    const answer: unknown = await (await createSimulator().handle(request)).json();
    const message = { reasoning_content: expect.stringContaining('[simulated thinking]') };
    expect(answer).toMatchObject({ choices: [{ message }] });
  });
