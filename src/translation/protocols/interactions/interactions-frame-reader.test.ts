import { expect, test } from 'bun:test';
import { knownBody } from '../../../base/json/json-body.ts';
import { partial } from '../../../base/lib/testing/partial.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { InteractionsFrameReader } from './interactions-frame-reader.ts';

const estimate = { text: (text: string) => text.length, input: () => 1 };
const label = partial<AnswerLabel>({ id: 'interaction_1', model: 'model-1', estimate });
const request: InferenceRequest = { body: knownBody('{}', {}), model: 'model-1', stream: true };

test('refuses an event type with a line break, which would forge another event', () => {
  const reader = new InteractionsFrameReader({ request, label });
  const event = (type: string) => ({
    event: undefined,
    data: JSON.stringify({ event_type: type, index: 0 }),
  });
  expect(reader.read(event('step.stop')).text).toStartWith('event: step.stop\ndata: {');
  expect(() => reader.read(event('x\n\nevent: error\ndata: {}'))).toThrow(SyntaxError);
});
