import { describe, expect, test } from 'bun:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { createSimulator } from './simulator.ts';
import { inProcessClients } from './testing/in-process-clients.ts';

// Compaction and changing tools, read by the official clients.

const { openai, anthropic } = inProcessClients(createSimulator(), 'any');

type Messages = Anthropic.Beta.BetaMessageParam[];
const HISTORY: Messages = [
  { role: 'user', content: 'Remember the word plum.' },
  { role: 'assistant', content: 'I will.' },
  { role: 'user', content: 'say: fine' },
];
const model = 'm';
const base = { model, max_tokens: 100 };
const compactFrom = (value: number, rest: object = {}) => ({
  edits: [{ type: 'compact_20260112' as const, trigger: { type: 'input_tokens' as const, value }, ...rest }],
});

describe.each([false, true])("Anthropic's compaction (streamed: %p)", (streamed) => {
  const ask = (params: Omit<Anthropic.Beta.MessageCreateParamsNonStreaming, 'model' | 'max_tokens'>) =>
    streamed
      ? anthropic.beta.messages.stream({ ...base, ...params }).finalMessage()
      : anthropic.beta.messages.create({ ...base, ...params });

  test('begins at the trigger with a separate count of tokens', async () => {
    const whole = await ask({ messages: HISTORY });
    const { input_tokens: length } = whole.usage;
    const long = await ask({ messages: HISTORY, context_management: compactFrom(length + 1) });
    expect(long.content).toEqual(whole.content);
    expect(long.usage.iterations).toMatchObject([{ type: 'message', input_tokens: length, model }]);
    const { content, usage, ...rest } = await ask({
      messages: HISTORY,
      context_management: compactFrom(length),
    });
    expect(content).toMatchObject([{ type: 'compaction' }, { type: 'text', text: '[simulated] fine' }]);
    expect(rest).toMatchObject({ stop_reason: 'end_turn', context_management: { applied_edits: [] } });
    const { input_tokens, output_tokens } = usage;
    expect(usage.iterations).toMatchObject([
      { type: 'compaction', input_tokens: length },
      { type: 'message', input_tokens, output_tokens },
    ]);
    expect(usage.iterations![0]!.output_tokens).toBeGreaterThan(0);
  });

  test('can pause with a block that replaces what was before it', async () => {
    const context_management = compactFrom(1, { pause_after_compaction: true });
    const paused = await ask({ messages: HISTORY, context_management });
    expect(paused).toMatchObject({ stop_reason: 'compaction', content: [{ type: 'compaction' }] });
    expect(paused.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(paused.usage.iterations!.map(({ type }) => type)).toEqual(['compaction']);
    const after: Messages = [
      { role: 'assistant', content: paused.content as [] },
      { role: 'user', content: 'Hello.' },
    ];
    const [text] = (await ask({ messages: [...HISTORY, ...after] })).content;
    expect(text).toMatchObject({ text: expect.stringContaining('Received 2 turns. A summary of') });
    expect((await ask({ messages: after })).content).toEqual([text!]);
  });

  test('of the whole conversation is the only block', async () => {
    const { content, stop_reason } = await ask({ messages: HISTORY, compaction: { type: 'summarize' } });
    expect({ length: content.length, stop_reason }).toEqual({ length: 1, stop_reason: 'compaction' });
    expect(content[0]).toMatchObject({
      type: 'compaction',
      signature: expect.any(String),
      content: expect.stringContaining('[simulated summary]'),
    });
  });
});

const tool = (name: string) => ({ name, input_schema: { type: 'object' as const } });

test("Anthropic's system messages add and remove tools", async () => {
  const use = async (...changes: object[]) => {
    const messages = [
      { role: 'user' as const, content: 'Hello.' },
      {
        role: 'system' as const,
        content: [{ type: 'text', text: 'Be brief.' }, ...changes] as Anthropic.Beta.BetaTextBlockParam[],
      },
      { role: 'user' as const, content: 'use a tool' },
    ];
    const { content } = await anthropic.beta.messages.create({ ...base, messages, tools: [tool('first')] });
    return content.map((block) => (block.type === 'tool_use' ? block.name : block.type));
  };
  const removal = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'first' } };
  const addition = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'first' } };
  const defined = { type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('second') } };
  expect(await use()).toEqual(['first']);
  expect(await use(removal)).toEqual(['text']);
  expect(await use(removal, defined)).toEqual(['second']);
  expect(await use(removal, addition)).toEqual(['first']);
});

type Input = OpenAI.Responses.ResponseInput;
const turns: Input = [
  { role: 'user', content: 'Remember the word plum.' },
  { role: 'assistant', content: 'I will.' },
];

async function respond(
  body: Omit<OpenAI.Responses.ResponseCreateParams, 'stream'>,
  { streamed }: { streamed: boolean },
) {
  if (!streamed) return (await openai.responses.create({ model, ...body })) as OpenAI.Responses.Response;
  const types: string[] = [];
  const stream = openai.responses.stream({ model, ...body });
  stream.on('event', ({ type }) => types.push(type));
  const whole = await stream.finalResponse();
  if (whole.output[0]?.type === 'compaction') expect(types).toContain('response.compaction.compacting');
  return whole;
}

describe.each([false, true])("OpenAI's compaction (streamed: %p)", (streamed) => {
  test('answers a trigger with one item, which replaces the turns before it', async () => {
    const plain = await respond({ input: turns }, { streamed });
    const { output, usage, status } = await respond(
      { input: [...turns, { type: 'compaction_trigger' }] },
      { streamed },
    );
    expect({ status, output: output.map(({ type }) => type) }).toEqual({
      status: 'completed',
      output: ['compaction'],
    });
    expect(usage!.input_tokens).toBe(plain.usage!.input_tokens);
    const input = [...turns, ...(output as Input), { role: 'user' as const, content: 'Hello.' }];
    const { output_text } = await respond({ input }, { streamed });
    expect(output_text).toContain('Received 2 turns. A summary of');
  });

  test('begins at the threshold, before the answer', async () => {
    const input: Input = [...turns, { role: 'user', content: 'say: fine' }];
    const ask = (compact_threshold: number) =>
      respond({ input, context_management: [{ type: 'compaction', compact_threshold }] }, { streamed });
    const plain = await respond({ input }, { streamed });
    const length = plain.usage!.input_tokens;
    expect((await ask(length + 1)).output.map(({ type }) => type)).toEqual(['message']);
    const { output, usage, output_text } = await ask(length);
    expect({ output: output.map(({ type }) => type), output_text }).toEqual({
      output: ['compaction', 'message'],
      output_text: '[simulated] fine',
    });
    expect(usage!.input_tokens).toBeGreaterThan(length);
    expect(usage!.output_tokens).toBeGreaterThan(plain.usage!.output_tokens);
  });
});

test("OpenAI refuses a trigger that is not last or has another vendor's compaction", async () => {
  for (const input of [
    [{ type: 'compaction_trigger' }, { role: 'user', content: 'Hello.' }],
    [{ type: 'compaction', encrypted_content: 'x' }],
  ] as Input[])
    await expect(respond({ input }, { streamed: false })).rejects.toMatchObject({ status: 400 });
});

test('the tools of a namespace are called with its name', async () => {
  const find = { type: 'function' as const, name: 'find_customer', parameters: { type: 'object' } };
  const crm = { type: 'namespace' as const, name: 'crm', description: 'Customers', tools: [find] };
  const input: Input = [{ role: 'user', content: 'use a tool' }];
  const added: Input = [{ type: 'additional_tools', role: 'developer', tools: [crm] }, ...input];
  for (const body of [{ input, tools: [crm] }, { input: added }])
    for (const streamed of [false, true]) {
      const { output } = await respond(body, { streamed });
      expect(output).toMatchObject([{ type: 'function_call', namespace: 'crm', name: 'find_customer' }]);
    }
});
