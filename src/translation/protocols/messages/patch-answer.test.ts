import { expect, test } from 'bun:test';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { MessagesStreamDecoder } from './messages-stream-decoder.ts';
import { patchAnswer } from './patch-answer.ts';

const label = { id: 'msg_1', model: 'able' } as AnswerLabel;

test('an error with the status of an answer keeps its meaning', () => {
  const text = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  const refused = () => patchAnswer(text, label, { showsThinking: true });
  expect(refused).toThrow(RefusedAnswer);
  expect(refused).toThrow(
    expect.objectContaining({ refusal: expect.objectContaining({ code: 'upstream_overloaded' }) }),
  );
});

test('a null in place of an error is not an error', () => {
  const decoder = new MessagesStreamDecoder();
  const event = { type: 'message_start', error: null, message: { id: 'm', model: 'x', usage: {} } };
  const events = decoder.read({ event: undefined, data: JSON.stringify(event) });
  expect(events.map(({ type }) => type)).toEqual(['response-start']);
});
