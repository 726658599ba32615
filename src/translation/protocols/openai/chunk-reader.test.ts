import { expect, test } from 'bun:test';
import { knownBody } from '../../../base/json/json-body.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { ChunkReader } from './chunk-reader.ts';
import { patchAnswer } from './openai-answer.ts';

const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
const label = { id: 'ours', model: 'asked-for', estimate };
const chunk = { id: 'up', model: 'up', choices: [{ index: 0, delta: { content: 'a' } }] };

test('writes a chunk on one line, even if the upstream uses several', () => {
  const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
  for (let count = 0; count < 2; count++)
    expect(reader.read({ data: JSON.stringify(chunk, null, 2) }).text).toMatch(
      /^data: \{.*"asked-for".*\}\n\n$/,
    );
});

test('adds the object and the time that a host omits from the chunks of a stream [CHT-05]', () => {
  const chunksOf = (choices: object[]) => {
    const reader = new ChunkReader({ label, showsUsage: false, choices: 1 });
    return choices.map((choice) => {
      const { text } = reader.read({ data: JSON.stringify({ id: 'up', model: 'up', choices: [choice] }) });
      return JSON.parse(text.slice('data: '.length));
    });
  };
  const pieces = ['a', 'b', 'c'];
  const head = { id: 'ours', model: 'asked-for', created: expect.any(Number) };
  expect(chunksOf(pieces.map((content) => ({ index: 0, delta: { content } })))).toEqual(
    pieces.map((content) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content } }],
    })),
  );
  expect(chunksOf(pieces.map((text) => ({ index: 0, text })))).toEqual(
    pieces.map((text) => ({ ...head, object: 'text_completion', choices: [{ index: 0, text }] })),
  );
});

test('adds them to the usage that a host sends or omits at the end, too [CHT-05]', () => {
  const chunksOf = (answers: object[]) => {
    const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
    const texts = [...answers.map((answer) => JSON.stringify(answer)), '[DONE]'];
    return texts
      .flatMap((data) => reader.read({ data }).text.match(/(?<=^data: )\{.*$/gm) ?? [])
      .map((text) => JSON.parse(text));
  };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chat = chunksOf([{ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }]);
  const legacy = chunksOf([
    { choices: [{ index: 0, text: 'a', finish_reason: 'stop' }] },
    { choices: [], usage },
  ]);
  expect(chat.map(({ object }) => object)).toEqual(['chat.completion.chunk', 'chat.completion.chunk']);
  expect(legacy.map(({ object }) => object)).toEqual(['text_completion', 'text_completion']);
  for (const { created } of [...chat, ...legacy]) expect(created).toBeNumber();
});

const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
const list = [thinking, { type: 'text', text: 'Yes' }, { type: 'reference', reference_ids: [1] }];

test("writes Mistral's content lists as text and reasoning in a stream", () => {
  const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
  const deltas = [{ role: 'assistant', content: [thinking] }, { content: list }, { content: 'No' }].map(
    (delta) => {
      const { text } = reader.read({ data: JSON.stringify({ ...chunk, choices: [{ index: 0, delta }] }) });
      return JSON.parse(text.slice('data: '.length)).choices[0].delta;
    },
  );
  expect(deltas).toEqual([
    { role: 'assistant', content: null, reasoning_content: 'Hm.' },
    { content: 'Yes', reasoning_content: 'Hm.' },
    { content: 'No' },
  ]);
  expect(reader.answerText.length).toBe('Hm.YesHm.No'.length);
});

test("writes Mistral's content lists as text and reasoning in a whole answer", () => {
  const answer = { ...chunk, choices: [{ index: 0, message: { role: 'assistant', content: list } }] };
  const body = knownBody('{}', {});
  const { text } = patchAnswer(JSON.stringify(answer), label, { body, model: 'm', stream: false });
  expect(JSON.parse(text).choices).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: 'Yes', reasoning_content: 'Hm.', refusal: null },
      logprobs: null,
    },
  ]);
});

test('adds the members of a chat completion that its host has omitted [CHT-18]', () => {
  const body = knownBody('{}', {});
  const whole = (answer: object) =>
    JSON.parse(patchAnswer(JSON.stringify(answer), label, { body, model: 'm', stream: false }).text);
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  expect(whole({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })).toMatchObject({
    object: 'chat.completion',
    created: expect.any(Number),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'a', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
  });
  expect(whole({ choices: [{ message: { tool_calls: [call] } }] }).choices[0].message).toEqual({
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [call],
  });
  expect(whole({ object: 'text_completion', created: 7, choices: [{ text: 'a' }] })).toMatchObject({
    created: 7,
    choices: [{ index: 0, text: 'a', logprobs: null }],
  });
});

test('reads JSON that is not a chunk or not an answer as an invalid answer', () => {
  const body = knownBody('{}', {});
  for (const data of ['null', '7', '[]', '{}', '{"choices":[null]}', '{"choices":["a"]}']) {
    const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
    expect(() => reader.read({ data })).toThrow(SyntaxError);
    expect(() => patchAnswer(data, label, { body, model: 'm', stream: false })).toThrow(SyntaxError);
  }
});

test('fails at an answer that its host broke off', () => {
  const body = knownBody('{}', {});
  for (const finish_reason of ['error', 'insufficient_system_resource', 'NETWORK_ERROR']) {
    const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
    const message = { role: 'assistant', content: 'a' };
    const data = JSON.stringify({
      ...chunk,
      choices: [{ index: 0, delta: message, message, finish_reason }],
    });
    expect(() => reader.read({ data })).toThrow(RefusedAnswer);
    expect(() => patchAnswer(data, label, { body, model: 'm', stream: false })).toThrow(RefusedAnswer);
  }
});

test("keeps a host's own members of the usage, without those that show its price", () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 1,
    total_tokens: 10,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    num_sources_used: 0,
  };
  const priced = { ...usage, cost_in_usd_ticks: 1_466_250, cost: 0.01, cost_details: {}, is_byok: false };
  const message = { role: 'assistant', content: 'a' };
  const choices = [{ index: 0, delta: message, message, finish_reason: 'stop' }];
  const data = JSON.stringify({ ...chunk, choices, usage: priced });
  const reader = new ChunkReader({ label, showsUsage: true, choices: 1 });
  const body = knownBody('{}', {});
  const whole = patchAnswer(data, label, { body, model: 'm', stream: false }).text;
  for (const text of [reader.read({ data }).text.slice('data: '.length), whole]) {
    expect(JSON.parse(text).usage).toMatchObject(usage);
    expect(text).not.toMatch(/cost|byok/);
  }
});

test('gives calls that arrive in one chunk an index each', () => {
  const call = (id: string) => ({ id, function: { name: 'f', arguments: '{}' } });
  const choice = { index: 0, delta: { tool_calls: [call('a'), call('b')] }, finish_reason: 'tool_calls' };
  const reader = new ChunkReader({ label, showsUsage: false, choices: 1 });
  const { text } = reader.read({ data: JSON.stringify({ ...chunk, choices: [choice] }) });
  expect(JSON.parse(text.slice('data: '.length)).choices[0].delta.tool_calls).toEqual([
    { ...call('a'), index: 0 },
    { ...call('b'), index: 1 },
  ]);
});
