import { expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { bedrockWire } from '../bedrock/bedrock-wire.ts';
import { createGoogleDialect } from './google-dialect.ts';

const target = { upstreamModel: 'claude', reasoning: false, reasoningEfforts: [] };

function decoded(members: object): CanonicalRequest {
  const dialect = createGoogleDialect({ stream: false });
  const body = parseBodyAtOnce(JSON.stringify(members)) as JsonBody;
  return dialect.codec.decodeRequest(dialect.bodyAt(body, { id: 'able' }) as JsonBody) as CanonicalRequest;
}

const translated = (generationConfig: object) =>
  bedrockWire.encodeRequest(
    decoded({ contents: [{ parts: [{ text: 'Hello' }] }], generationConfig }),
    target,
  );

test('only other vendors refuse a value of an enum as plain text', () => {
  const refused = translated({ responseMimeType: 'text/x.enum', responseSchema: { enum: ['a'] } });
  expect(refused).toMatchObject({ code: 'route_not_qualified', details: { param: 'responseMimeType' } });
  for (const responseMimeType of ['text/plain', 'application/json'])
    expect(translated({ responseMimeType })).not.toBeInstanceOf(Refusal);
});

test('a repeated result of a call is dropped, since other vendors refuse it', () => {
  const call = (id: string) => ({ functionCall: { id, name: 'read', args: {} } });
  const result = (id: string, output: string) => ({
    functionResponse: { id, name: 'read', response: { output } },
  });
  const contents = [
    { role: 'user', parts: [{ text: 'Read both.' }] },
    { role: 'model', parts: [call('a'), call('b')] },
    { role: 'user', parts: [result('a', 'one'), result('b', 'two'), result('a', 'one'), result('b', 'two')] },
    { role: 'model', parts: [call('a')] },
    { role: 'user', parts: [result('a', 'three')] },
  ];
  const results = decoded({ contents }).turns.map(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : [])),
  );
  expect(results).toEqual([[], [], ['a', 'b'], [], ['a_2']]);
});
