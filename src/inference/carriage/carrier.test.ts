import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Form } from '../../base/forms/form.ts';
import { SMALL_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { createChatWireCodec } from '../../translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { createMessagesDialect } from '../../translation/protocols/messages/create-messages-dialect.ts';
import type { CarriedRequest } from './carried-request.ts';
import { Carrier } from './carrier.ts';

const dialect = createMessagesDialect();

function carriedFor(content: string): CarriedRequest {
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
  const request = acceptedOrError(dialect.read(acceptedOrError(parseBodyAtOnce(text))));
  return {
    exchange: sampleExchange(),
    dialect,
    request,
    entry: sampleEntry(),
    id: 'msg_1',
    services: {
      yieldQueue: new YieldQueue(),
      wires: new Map([['openai-chat', createChatWireCodec()]]),
      recapKey: new Uint8Array(32),
    },
    estimate: { input: () => 1, text: () => 1 },
    vendorIds: undefined,
    learned: undefined,
  };
}

const targetOn = (wire: Wire) => sampleTarget({ wires: [wire] });
const bodyOf = (carriage: Carriage | Refusal) => ('body' in carriage ? carriage.body : undefined);

const long = carriedFor('x'.repeat(SMALL_BODY_BYTES));

test.each<Wire>([
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

test('carries a form on its own wire under the upstream name of the model, each time with a new boundary', async () => {
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
  const withForm = { ...carried, request: { ...request, body: { ...request.body, form } } };
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
