import { expect, test } from 'bun:test';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { MessagesStreamDecoder } from './messages-stream-decoder.ts';
import { patchAnswer } from './patch-answer.ts';

const usage = {
  input_tokens: 3,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const estimate = { input: () => 7, text: () => 1 };
const label: AnswerLabel = { id: 'msg_1', model: 'able', estimate };

test('an error with the status of an answer keeps its meaning', () => {
  const text = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  const refused = () => patchAnswer(text, label, { showsThinking: true });
  expect(refused).toThrow(RefusedAnswer);
  expect(refused).toThrow(
    expect.objectContaining({ refusal: expect.objectContaining({ code: 'upstream_overloaded' }) }),
  );
});

test('adds the members of a message that its host has omitted [MSG-49]', () => {
  const content = [{ type: 'text', text: 'a' }];
  const text = JSON.stringify({ type: 'message', content, stop_reason: 'end_turn', usage });
  expect(JSON.parse(patchAnswer(text, label, { showsThinking: true }).text)).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'able',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  });
});

test('a null in place of an error is not an error', () => {
  const decoder = new MessagesStreamDecoder();
  const event = { type: 'message_start', error: null, message: { id: 'm', model: 'x', usage: {} } };
  const events = decoder.read({ event: undefined, data: JSON.stringify(event) });
  expect(events.map(({ type }) => type)).toEqual(['response-start']);
});
