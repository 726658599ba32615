import { expect, test } from 'bun:test';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { InteractionsFrameReader } from './interactions-frame-reader.ts';

const estimate = { text: (text: string) => text.length, input: () => 1 };
const label = { id: 'interaction_1', model: 'able', estimate } as unknown as AnswerLabel;
const request = { body: { value: {} }, model: 'able' } as unknown as InferenceRequest;

test('an event whose type would begin an event of its own is refused', () => {
  const reader = new InteractionsFrameReader({ request, label });
  const event = (type: string) => ({
    event: undefined,
    data: JSON.stringify({ event_type: type, index: 0 }),
  });
  expect(reader.read(event('step.stop')).text).toStartWith('event: step.stop\ndata: {');
  expect(() => reader.read(event('x\n\nevent: error\ndata: {}'))).toThrow(SyntaxError);
});
