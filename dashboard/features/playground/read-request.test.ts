import { expect, test } from 'bun:test';
import type { DialectId } from '../../app/chat-endpoints.ts';
import type { Turn } from './conversation.ts';
import { dialectOf } from './dialects.ts';
import { emptyDraft } from './draft.ts';
import { readRequest } from './read-request.ts';
import { readTools } from './read-tools.ts';
import { sentTurns, turnsToRetry, withFailure } from './sent-turns.ts';
import type { Settings } from './settings.ts';

const settings: Settings = {
  ...emptyDraft.settings,
  model: 'able',
  dialect: 'messages',
  system: 'Be brief.',
  maxTokens: '300',
  temperature: '0.5',
  effort: 'low',
  tools: JSON.stringify([{ name: 'weather', description: 'Returns it.', parameters: { type: 'object' } }]),
  schema: JSON.stringify({ type: 'object' }),
};
const record = { model: null, stream: true };
const image = 'data:image/png;base64,AAAA';
const turns: readonly Turn[] = [
  { role: 'user', text: 'What is this?', images: [image] },
  {
    role: 'assistant',
    text: 'I look.',
    thinking: '',
    calls: [{ id: 'call_1', name: 'weather', input: '{"city":"Bern"}' }],
  },
  { role: 'tool', results: [{ id: 'call_1', name: 'tool', text: 'sunny' }] },
  { role: 'user', text: 'And now?', images: [] },
];

for (const dialect of ['messages', 'responses', 'chat', 'gemini'] as const satisfies readonly DialectId[])
  test(`reads what it writes in ${dialect}`, () => {
    const read = readTools(settings.tools);
    const body = dialectOf(dialect).write(settings, turns, 'tools' in read ? read.tools : []);
    const { content, dropped } = readRequest(dialect, JSON.stringify({ ...body, seed: 7 }), record);
    expect(dropped).toEqual(['seed']);
    expect(content).toMatchObject({ model: 'able', dialect, text: 'And now?', turns: turns.slice(0, -1) });
    const again = { ...settings, ...(content.settings as Partial<Settings>) };
    expect(again).toMatchObject({ system: 'Be brief.', maxTokens: '300', temperature: '0.5', effort: 'low' });
    expect(JSON.parse(again.schema)).toEqual({ type: 'object' });
    const reread = readTools(again.tools);
    expect(reread).toEqual(read);
  });

test("reads the model and the stream of Gemini's clients from the record, since their path names them", () => {
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
  const { content } = readRequest('gemini', body, { model: 'able', stream: true });
  expect(content).toMatchObject({ model: 'able', text: 'Hello', settings: { stream: true } });
});

test('gives each call of Gemini without an id one of its own, which its result shares', () => {
  const round = [
    { role: 'model', parts: [{ functionCall: { name: 'look' } }, { functionCall: { name: 'find' } }] },
    { role: 'user', parts: ['look', 'find'].map((name) => ({ functionResponse: { name } })) },
  ];
  const contents = [...round, ...round, { role: 'user', parts: [{ text: 'Hello' }] }];
  const { content } = readRequest('gemini', JSON.stringify({ contents }), record);
  const ids = (content.turns as readonly Turn[]).map((turn) => {
    if (turn.role === 'assistant') return turn.calls.map(({ id }) => id);
    return turn.role === 'tool' ? turn.results.map(({ id }) => id) : [];
  });
  expect([ids[0], ids[2]]).toEqual([ids[1], ids[3]]);
  expect(new Set(ids.flat()).size).toBe(4);
});

test('names the parts of a member for which the playground has no field', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const droppedOf = (dialect: DialectId, body: object) =>
    readRequest(dialect, JSON.stringify(body), record).dropped;
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  expect(droppedOf('messages', { messages, thinking })).toEqual(['thinking']);
  expect(droppedOf('messages', { messages, thinking: { type: 'disabled' } })).toEqual([]);
  const generationConfig = { topP: 0.9, maxOutputTokens: 9, thinkingConfig: { thinkingBudget: 0 } };
  expect(droppedOf('gemini', { contents: [], generationConfig })).toEqual([
    'generationConfig.topP',
    'generationConfig.thinkingConfig',
  ]);
});

test('reads requests in which clients write null for members without a value', () => {
  const chat = {
    model: 'able',
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi', tool_calls: null },
    ],
  };
  expect(readRequest('chat', JSON.stringify(chat), record).content.turns).toMatchObject([
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Hi', calls: [] },
  ]);
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], generationConfig: null };
  expect(readRequest('gemini', JSON.stringify(gemini), record).content.text).toBe('Hello');
});

test('a failed message and its partial answer are not sent again, unless they are retried', () => {
  const asked: Turn = { role: 'user', text: 'hi', images: [] };
  const part: Turn = { role: 'assistant', text: 'I', thinking: '', calls: [] };
  const failed = withFailure([...turns, asked], part);
  expect(sentTurns(failed)).toEqual(turns);
  expect(turnsToRetry(failed)).toEqual([...turns, asked]);
  expect(turnsToRetry(turns)).toBeUndefined();
  const results = turns.slice(0, 3);
  expect(withFailure(results, part)).toEqual(results);
  expect(turnsToRetry(results)).toEqual(results);
  // A later message that succeeded ends the offer to send the failed one again.
  expect(turnsToRetry([...failed, asked, part])).toBeUndefined();
});
