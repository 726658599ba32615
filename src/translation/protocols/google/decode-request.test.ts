import { expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { bedrockWire } from '../bedrock/bedrock-wire.ts';
import { createGoogleDialect } from './google-dialect.ts';

const target = { upstreamModel: 'claude', reasoning: false, reasoningEfforts: [] };

function translated(generationConfig: object) {
  const dialect = createGoogleDialect({ stream: false });
  const body = parseBodyAtOnce(
    JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }], generationConfig }),
  ) as JsonBody;
  const request = dialect.codec.decodeRequest(dialect.bodyAt(body, { id: 'able' }) as JsonBody);
  return bedrockWire.encodeRequest(request as CanonicalRequest, target);
}

test('only other vendors refuse a value of an enum as plain text', () => {
  const refused = translated({ responseMimeType: 'text/x.enum', responseSchema: { enum: ['a'] } });
  expect(refused).toMatchObject({ code: 'route_not_qualified', details: { param: 'responseMimeType' } });
  for (const responseMimeType of ['text/plain', 'application/json'])
    expect(translated({ responseMimeType })).not.toBeInstanceOf(Refusal);
});
