import { expect, test } from 'bun:test';
import { knownBody } from '../../../base/json/json-body.ts';
import { partial } from '../../../base/lib/testing/partial.ts';
import { collect } from '../../canonical/collect.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { InteractionsFrameReader } from './interactions-frame-reader.ts';
import { interactionsWire } from './interactions-wire.ts';
import { patchAnswer } from './patch-answer.ts';

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

test('bills the tier that the vendor reports, in streams and whole answers of each way', () => {
  const usage = { total_input_tokens: 5, total_output_tokens: 2, total_tokens: 7 };
  const factorsIn = (tier: string) => {
    const interaction = { status: 'completed', service_tier: tier, usage, steps: [] };
    const data = JSON.stringify({ event_type: 'interaction.completed', interaction });
    const passed = new InteractionsFrameReader({ request, label }).read({ data }).usage;
    const whole = patchAnswer(JSON.stringify(interaction), label, request).usage;
    const decoded = collect(
      interactionsWire.splitAnswer(JSON.stringify(interaction)).flatMap(interactionsWire.streamDecoder()),
    );
    if (!('parts' in decoded)) throw decoded;
    return [passed, whole, decoded.usage].map((reported) => reported?.detail?.factors);
  };
  expect(factorsIn('flex')).toEqual(Array(3).fill(['flex']));
  expect(factorsIn('priority')).toEqual(Array(3).fill(['priority']));
  expect(factorsIn('standard')).toEqual(Array(3).fill(undefined));
});
