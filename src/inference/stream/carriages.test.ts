import { expect, test } from 'bun:test';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Form } from '../../base/forms/form.ts';
import { SMALL_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { type JsonBody, parseJsonObject } from '../../base/json/json-body.ts';
import { Turns } from '../../base/lib/turns.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { createChatWireCodec } from '../../translation/protocols/chat-completions/chat-wire-codec.ts';
import { createMessagesDialect } from '../../translation/protocols/messages/messages-dialect.ts';
import { type CarriageParts, carriages, carriagesInTurns } from './carriages.ts';

const dialect = createMessagesDialect();
const provider = { id: 'p', quirks: [], mode: 'live' };

function partsFor(content: string): CarriageParts {
  const text = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
  const request = dialect.read(parseJsonObject(text) as JsonBody) as InferenceRequest;
  const capabilities = { reasoning: false };
  return {
    exchange: { headers: {}, notes: {}, snapshot: { names: { header: {} } } },
    dialect,
    request,
    entry: { model: { capabilities, reasoningEfforts: [], outputDimensions: null }, targets: [] },
    id: 'x',
    wires: new Map([['openai-chat', createChatWireCodec()]]),
    estimate: { input: () => 1, text: () => 1 },
  } as unknown as CarriageParts;
}

const targetOn = (wire: string) =>
  ({ provider, upstreamModel: 'theirs', wires: [wire] }) as unknown as Target;
const bodyOf = (carriage: Carriage | Refusal) => ('body' in carriage ? carriage.body : undefined);

const turns = new Turns();
const long = partsFor('x'.repeat(SMALL_BODY_BYTES));

test.each([
  'openai-chat',
  'anthropic-messages',
])('gives other requests a turn before encoding a long request for %s', async (wire) => {
  const seen: string[] = [];
  setImmediate(() => seen.push('another'));
  const carriage = await carriagesInTurns({ ...long, turns })(targetOn(wire));
  seen.push('carried');
  expect(seen).toEqual(['another', 'carried']);
  expect(bodyOf(carriage)).toBe(bodyOf(carriages(long)(targetOn(wire))));
});

test('encodes a short request at once', () => {
  const carriage = carriagesInTurns({ ...partsFor('hi'), turns })(targetOn('openai-chat'));
  expect(carriage).not.toBeInstanceOf(Promise);
});

test('carries a form on its own wire, with the upstream name of the model and a boundary of its own', async () => {
  const parts = partsFor('hi');
  const kept = { byteLength: 3, read: () => Buffer.from('abc') };
  const form: Form = {
    parts: [
      { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', at: 0, byteLength: 3 },
      { name: 'model', text: 'm', type: undefined },
    ],
    kept,
  };
  const { request } = parts;
  const withForm = { ...parts, request: { ...request, body: { ...request.body, form } } } as CarriageParts;
  const own = carriages(withForm)(targetOn('anthropic-messages')) as Carriage;
  const again = carriages(withForm)(targetOn('anthropic-messages')) as Carriage;
  const { contentType, byteLength, pieces } = own.streamed!;
  const text = await new Response(pieces as never).text();
  expect(text).toMatch(/name="file"; filename="a.mp3"\r\ncontent-type: audio\/mpeg\r\n\r\nabc\r\n/);
  expect(text).toMatch(/name="model"\r\n\r\ntheirs\r\n/);
  expect(text.length).toBe(byteLength);
  expect(again.streamed!.contentType).not.toBe(contentType);
  expect((carriages(parts)(targetOn('anthropic-messages')) as Carriage).streamed).toBeUndefined();
});
