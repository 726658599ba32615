import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { collections } from '../../batches/stored/collection.ts';
import { erroredLine, succeededLine } from '../../batches/stored/result-line.ts';
import { batchItemView } from './batch-item-view.ts';

const row = { number: 4, customId: 'one', requestId: 'req_1' };

test('shows the text of an answer in both dialects', () => {
  const answers = {
    messages: {
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hello' },
      ],
    },
    chat: { choices: [{ message: { content: 'Hello' } }] },
  };
  for (const name of ['messages', 'chat'] as const) {
    const text = JSON.stringify(answers[name]);
    const line = succeededLine('one', collections[name], { text, isSimulated: false });
    const view = batchItemView({ ...row, result: 'succeeded', line }, { hasContent: true });
    expect(view).toMatchObject({
      number: 4,
      status: 'succeeded',
      answer: 'Hello',
      error: null,
      is_cut: false,
    });
    expect(view.bytes).toBe(Buffer.byteLength(line));
  }
});

test('shows an answer whose parts are not those of its dialect', () => {
  const answers = [
    { content: [null, 5, { type: 'text', text: 'Hello' }] },
    { choices: [{ message: { content: [null, { text: 'Hello' }] } }] },
    { choices: 5 },
    { choices: [null] },
  ];
  const shown = answers.map((answer) => {
    const text = JSON.stringify(answer);
    const line = succeededLine('one', collections.chat, { text, isSimulated: false });
    return batchItemView({ ...row, result: 'succeeded', line }, { hasContent: true }).answer;
  });
  expect(shown).toEqual(['Hello', 'Hello', '', '']);
});

test('shows the error of an item in both dialects', () => {
  const refusal = new Refusal('unknown_model', { message: 'There is no such model.' });
  for (const name of ['messages', 'chat'] as const) {
    const line = erroredLine('one', collections[name], refusal);
    const { error, answer } = batchItemView({ ...row, result: 'errored', line }, { hasContent: true });
    expect({ message: error?.message, answer }).toEqual({ message: 'There is no such model.', answer: null });
    expect(error?.type).toBe('unknown_model');
  }
});

test('shows the beginning of a long answer', () => {
  const text = JSON.stringify({ content: [{ type: 'text', text: 'word '.repeat(5_000) }] });
  const line = succeededLine('one', collections.messages, { text, isSimulated: false });
  const view = batchItemView({ ...row, result: 'succeeded', line }, { hasContent: true });
  expect({ length: view.answer!.length, is_answer_cut: view.is_answer_cut }).toEqual({
    length: 600,
    is_answer_cut: true,
  });
  expect({ length: view.result!.length, is_cut: view.is_cut }).toEqual({ length: 4_000, is_cut: true });
});

test('marks an answer as cut between characters although its result is shown whole', () => {
  const viewOf = (answer: string) => {
    const text = JSON.stringify({ content: [{ type: 'text', text: answer }] });
    const line = succeededLine('one', collections.messages, { text, isSimulated: false });
    return batchItemView({ ...row, result: 'succeeded', line }, { hasContent: true });
  };
  expect(viewOf('a'.repeat(600))).toMatchObject({ answer: 'a'.repeat(600), is_answer_cut: false });
  const cut = viewOf(`${'a'.repeat(599)}😀`);
  expect(cut).toMatchObject({ answer: `${'a'.repeat(599)}\ufffd`, is_answer_cut: true, is_cut: false });
});

test('an item without a result has none, not even an error if it is canceled', () => {
  const waiting = batchItemView({ ...row, result: 'queued', line: null }, { hasContent: true });
  expect(waiting).toMatchObject({ status: 'queued', result: null, answer: null, error: null });
  const canceled = batchItemView({ ...row, result: 'canceled', line: null }, { hasContent: true });
  expect(canceled).toMatchObject({ status: 'canceled', bytes: 0, answer: null, error: null });
});

test('shows a viewer only the state and the error of an item [ADM-50]', () => {
  const text = JSON.stringify({ content: [{ type: 'text', text: 'a secret' }] });
  const line = succeededLine('one', collections.messages, { text, isSimulated: false });
  const view = batchItemView({ ...row, result: 'succeeded', line }, { hasContent: false });
  expect(view).toMatchObject({ status: 'succeeded', answer: null, result: null, error: null });
  expect(view.bytes).toBe(Buffer.byteLength(line));
});
