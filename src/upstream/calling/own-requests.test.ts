import { afterAll, beforeEach, expect, test } from 'bun:test';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { askModelBriefly } from './ask-small.ts';
import { sendOwnRequest } from './send-own-request.ts';

let received = new Headers();
const host = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ headers }) {
    received = headers;
    return Response.json({});
  },
});
afterAll(() => host.stop(true));
beforeEach(() => {
  received = new Headers();
});

const provider = sampleProvider({
  headers: { 'User-Agent': 'acme', Authorization: 'Basic b3duOmtleQ==' },
  baseUrl: `http://127.0.0.1:${host.port}/v1`,
});

const expectOwnHeaders = () =>
  expect({ userAgent: received.get('user-agent'), authorization: received.get('authorization') }).toEqual({
    userAgent: 'acme',
    authorization: 'Basic b3duOmtleQ==',
  });

test('headers of the provider replace the headers of a probe that differ from them in case', async () => {
  await sendOwnRequest(provider, {
    wire: 'openai-chat',
    path: '/models',
    signal: AbortSignal.timeout(5_000),
  });
  expectOwnHeaders();
});

test('headers of the provider replace the headers of a check that differ from them in case', async () => {
  const call = { wire: 'openai-chat', model: 'theirs', path: '/chat/completions', body: '{}' } as const;
  await askModelBriefly(provider, call);
  expectOwnHeaders();
});
