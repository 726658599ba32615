import { expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { fitRequest } from '../../fitting/fit-request.ts';
import { countablesOf } from '../../tokens/countables-of.ts';
import { tokenFamilies } from '../../tokens/token-families.ts';
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

const call = (id: string) => ({ functionCall: { id, name: 'read', args: {} } });
const result = (id: string, output: string) => ({
  functionResponse: { id, name: 'read', response: { output } },
});

test('a repeated result of a call is dropped for other vendors, since they refuse it', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Read both.' }] },
    { role: 'model', parts: [call('a'), call('b')] },
    { role: 'user', parts: [result('a', 'one'), result('b', 'two'), result('a', 'one'), result('b', 'two')] },
    { role: 'model', parts: [call('a')] },
    { role: 'user', parts: [result('a', 'three')] },
    { role: 'model', parts: [{ text: 'Done.' }] },
    { role: 'user', parts: [result('a', 'three')] },
  ];
  const { request } = fitRequest(decoded({ contents }), 'messages') as { request: CanonicalRequest };
  const results = request.turns.map(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : [])),
  );
  expect(results).toEqual([[], [], ['a', 'b'], [], ['a_2'], []]);
});

test('a repeated result of a call counts as a part of the prompt, since Google gets and charges it', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Read it.' }] },
    { role: 'model', parts: [call('a')] },
    { role: 'user', parts: [result('a', 'one'), result('a', 'word '.repeat(100))] },
  ];
  const countables = countablesOf(decoded({ contents }), tokenFamilies.google);
  expect(JSON.stringify(countables)).toContain('word word');
});
