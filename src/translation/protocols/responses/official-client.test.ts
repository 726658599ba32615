import { expect, test } from 'bun:test';
import OpenAI from 'openai';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { PartHead, StreamEvent } from '../../canonical/event.ts';
import { headsWith } from '../testing/heads-with.ts';
import { createStreamEncoder } from './create-stream-encoder.ts';

const headOf = headsWith('resp_123');

const head = headOf({
  thinking: { mode: 'default', effortIsRequired: true, visible: true, display: 'auto' },
});
const call: PartHead = { kind: 'tool-call', callId: 'call_1', name: 'f', inputKind: 'json' };
const answer: StreamEvent[] = [
  { type: 'response-start', responseId: 'r', model: 'm' },
  { type: 'part-start', index: 0, part: { kind: 'thinking', form: 'full' } },
  { type: 'part-delta', index: 0, delta: { kind: 'thinking', text: 'hm' } },
  { type: 'part-end', index: 0 },
  { type: 'part-start', index: 1, part: { kind: 'text' } },
  { type: 'part-delta', index: 1, delta: { kind: 'text', text: 'hello' } },
  { type: 'part-start', index: 2, part: call },
  { type: 'part-delta', index: 2, delta: { kind: 'tool-input', text: '{"a":1}' } },
  { type: 'part-end', index: 2 },
  { type: 'part-delta', index: 1, delta: { kind: 'text', text: ' there' } },
  { type: 'part-end', index: 1 },
];

/** Returns the official client's stream helper, reading the frames of these events. */
function clientOf(events: StreamEvent[]) {
  const text = events
    .flatMap(createStreamEncoder(head))
    .map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`)
    .join('');
  const headers = { 'content-type': 'text/event-stream' };
  const fetch = () => Promise.resolve(new Response(text, { headers }));
  const client = new OpenAI({ apiKey: 'k', baseURL: 'http://localhost/v1', fetch, maxRetries: 0 });
  return client.responses.stream({ model: 'm', input: 'hi' });
}

test('lets the official client build the answer from the stream', async () => {
  const end: StreamEvent = { type: 'response-end', stop: { kind: 'tool-call' } };
  const response = await clientOf([...answer, end]).finalResponse();
  expect(response.output_text).toBe('hello there');
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
  expect(response.output[2]).toMatchObject({ arguments: '{"a":1}', call_id: 'call_1' });
});

test('makes the official client throw at a failed stream', async () => {
  const failure: StreamEvent = { type: 'response-error', refusal: new Refusal('upstream_overloaded') };
  await expect(clientOf([...answer, failure]).finalResponse()).rejects.toThrow();
  await expect(clientOf([failure]).finalResponse()).rejects.toThrow();
});
