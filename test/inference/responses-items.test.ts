import { describe, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { openResponsesGateway, weather } from '../support/responses-gateway.ts';
import { PDF, PNG } from '../support/speaker.ts';
import { chatWires } from '../support/wire-models.ts';

const { post, sent, askOn } = await openResponsesGateway();

describe.each([...chatWires])('on %s', (wire) => {
  const { ask, stream } = askOn(wire);

  test('a tool call and its result pass in streams and whole answers [RSP-13] [RSP-20]', async () => {
    const tools = [weather];
    const input: Json[] = [{ role: 'user', content: 'call weather with {"place": "Rome"}' }];
    const { output } = await ask({ tools, input });
    expect(output).toMatchObject([{ type: 'function_call', name: 'weather', status: 'completed' }]);
    expect(JSON.parse(output[0].arguments)).toEqual({ place: 'Rome' });
    const streamed = (await stream({ tools, input })).find(
      ({ type }) => type === 'response.function_call_arguments.done',
    );
    expect(JSON.parse(streamed.arguments)).toEqual({ place: 'Rome' });
    const result = { type: 'function_call_output', call_id: output[0].call_id, output: 'rain today' };
    const reported = await ask({ tools, input: [...input, ...output, result] });
    expect(reported.output[0].content[0].text).toContain('rain today');
    expect(JSON.stringify(sent())).toContain('How it is outside.');
  });

  test('passes instructions, roles and temperature [RSP-12] [RSP-16] [RSP-19]', async () => {
    await ask({
      instructions: 'be brief',
      temperature: 0.25,
      input: [
        { role: 'user', content: 'first words' },
        { role: 'assistant', content: 'second words' },
        { role: 'user', content: [{ type: 'input_text', text: 'third words' }] },
      ],
    });
    const text = JSON.stringify(sent());
    expect(text).toMatch(/first words.*second words.*third words/);
    expect(text).toContain('be brief');
    expect(text).toContain('0.25');
  });
});

test('accepts items of every kind and passes them to the model [RSP-14]', async () => {
  const file_data = `data:application/pdf;base64,${PDF}`;
  const image_url = `data:image/png;base64,${PNG}`;
  const call = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"place":"Rome"}' };
  const custom = { type: 'custom_tool_call', call_id: 'call_2', name: 'shell', input: 'list files' };
  const spaced = { ...call, call_id: 'call_3', name: 'lookup', namespace: 'places' };
  const output = [{ type: 'input_text', text: 'a list of names' }];
  const input = [
    { role: 'developer', content: 'plain guidance' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'plain words' },
        { type: 'input_image', image_url, detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'thought of it' }],
    },
    call,
    custom,
    spaced,
    { type: 'function_call_output', call_id: 'call_1', output: 'rain today' },
    { type: 'custom_tool_call_output', call_id: 'call_2', output },
    { type: 'function_call_output', call_id: 'call_3', output: [{ type: 'input_text', text: 'found it' }] },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'rather not' }] },
    { role: 'user', content: 'last words' },
  ];
  const tools = [
    weather,
    { type: 'custom', name: 'shell' },
    { type: 'namespace', name: 'places', description: 'Places.', tools: [{ ...weather, name: 'lookup' }] },
  ];
  const said = ['plain guidance', 'plain words', 'list files', 'rain today', 'a list of names', 'found it'];
  for (const wire of chatWires) {
    const answer = await post({ model: `on-${wire}`, input, tools });
    expect(answer.status, `${wire}: ${answer.text}`).toBe(200);
    const text = JSON.stringify(sent());
    for (const words of [...said, 'rather not', 'last words', PNG, PDF]) expect(text).toContain(words);
  }
  await post({ model: 'spelled', input, tools });
  expect(sent().input).toEqual(input);
});

test('passes custom and namespaced tools as sent [RSP-21]', async () => {
  const tools = [
    { type: 'custom', name: 'shell', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
    { type: 'namespace', name: 'files', description: 'Files.', tools: [weather] },
    { type: 'web_search' },
  ];
  await post({ model: 'spelled', input: 'hi', tools });
  expect(sent().tools).toEqual(tools);
});

test('sends a stored prompt to a provider of this protocol', async () => {
  await post({ model: 'spelled', input: 'hi', prompt: { id: 'pmpt_1' } });
  expect(sent().prompt).toEqual({ id: 'pmpt_1' });
});

test('refuses a stored prompt on another protocol', async () => {
  const body = { model: 'on-anthropic-messages', input: 'hi', prompt: { id: 'p' } };
  expectRefusal(await post(body), 422, 'route_not_qualified', 'prompt');
});
