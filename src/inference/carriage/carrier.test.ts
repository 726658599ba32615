import { expect, test } from 'bun:test';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Form } from '../../base/forms/form.ts';
import { SMALL_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { createChatWireCodec } from '../../translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { createMessagesDialect } from '../../translation/protocols/messages/create-messages-dialect.ts';
import type { CarriedRequest } from './carried-request.ts';
import { Carrier } from './carrier.ts';

const dialect = createMessagesDialect();
const provider = { id: 'p', quirks: [], mode: 'live' };

function carriedFor(content: string): CarriedRequest {
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
  const request = dialect.read(parseBodyAtOnce(text) as JsonBody) as InferenceRequest;
  const capabilities = { reasoning: false };
  return {
    exchange: { headers: {}, notes: {}, snapshot: { names: { header: {} } } },
    dialect,
    request,
    entry: { model: { capabilities, reasoningEfforts: [], outputDimensions: null }, targets: [] },
    id: 'x',
    services: { yieldQueue: new YieldQueue(), wires: new Map([['openai-chat', createChatWireCodec()]]) },
    estimate: { input: () => 1, text: () => 1 },
  } as unknown as CarriedRequest;
}

const targetOn = (wire: string) =>
  ({ provider, upstreamModel: 'theirs', wires: [wire] }) as unknown as Target;
const bodyOf = (carriage: Carriage | Refusal) => ('body' in carriage ? carriage.body : undefined);

const long = carriedFor('x'.repeat(SMALL_BODY_BYTES));

test.each([
  'openai-chat',
  'anthropic-messages',
])('gives other requests a turn before encoding a long request for %s', async (wire) => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  const carriage = await new Carrier(long).carriageTo(targetOn(wire));
  seen.push('carried');
  expect(seen).toEqual(['other', 'carried']);
  expect(bodyOf(carriage)).toBe(bodyOf(new Carrier(long).carriageAtOnce(targetOn(wire))));
});

test('encodes a short request at once', () => {
  const carriage = new Carrier(carriedFor('hi')).carriageTo(targetOn('openai-chat'));
  expect(carriage).not.toBeInstanceOf(Promise);
});

test('carries a form on its own wire, with the upstream name of the model and a boundary of its own', async () => {
  const carried = carriedFor('hi');
  const kept = { byteLength: 3, read: () => Buffer.from('abc') };
  const form: Form = {
    parts: [
      { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', at: 0, byteLength: 3 },
      { name: 'model', text: 'm', type: undefined },
    ],
    content: kept,
  };
  const { request } = carried;
  const withForm = { ...carried, request: { ...request, body: { ...request.body, form } } } as CarriedRequest;
  const own = new Carrier(withForm).carriageAtOnce(targetOn('anthropic-messages')) as Carriage;
  const again = new Carrier(withForm).carriageAtOnce(targetOn('anthropic-messages')) as Carriage;
  const { contentType, byteLength, pieces } = own.streamed!;
  const text = await new Response(pieces as never).text();
  expect(text).toMatch(/name="file"; filename="a.mp3"\r\ncontent-type: audio\/mpeg\r\n\r\nabc\r\n/);
  expect(text).toMatch(/name="model"\r\n\r\ntheirs\r\n/);
  expect(text.length).toBe(byteLength);
  expect(again.streamed!.contentType).not.toBe(contentType);
  expect(
    (new Carrier(carried).carriageAtOnce(targetOn('anthropic-messages')) as Carriage).streamed,
  ).toBeUndefined();
});
