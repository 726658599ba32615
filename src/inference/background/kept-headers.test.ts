import { expect, test } from 'bun:test';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { keptHeaders } from './kept-headers.ts';

const PROVIDER = 'base_url: http://127.0.0.1:1/v1\n    api_key: k\n    forward_headers: [request-tag]';
const snapshot = sampleSnapshot(`providers:\n  - id: a\n    wire: openai-responses\n    ${PROVIDER}`);
const kept = (sent: Record<string, string>) => keptHeaders(new Headers(sent), snapshot);

test('headers that change the answer are kept', () => {
  const sent = {
    'anthropic-beta': 'a',
    host: 'gateway.example',
    'openai-beta': 'b',
    'request-tag': 'c',
    'user-agent': 'codex',
    'x-openwebui-user-id': 'd',
    'x-stainless-lang': 'js',
    'x-svc-tags': 'team=e',
  };
  expect(kept(sent)).toEqual(sent);
});

test('headers with credentials are not kept', () => {
  const tokens = [
    'authorization',
    'cookie',
    'x-api-key',
    'x-amz-security-token',
    'x-auth-request-access-token',
  ];
  expect(kept(Object.fromEntries(tokens.map((name) => [name, 'secret'])))).toEqual({});
});

test('a header of more than 1,000 characters is not kept', () => {
  expect(kept({ 'x-svc-tags': 't'.repeat(1_001) })).toEqual({});
});
