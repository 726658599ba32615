import { expect, test } from 'bun:test';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { handleRequest } from './edge.ts';
import type { Route } from './route.ts';
import { createTestEdge } from './testing/create-test-edge.ts';
import { fromLoopback } from './testing/from-loopback.ts';

const SECRET = 'what only the log may hold';
const PATHS = ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1/completions', '/v1/embeddings'];

const throwing = (path: string, fail: () => never | Promise<never>): Route => ({
  method: 'POST',
  path,
  handle: fail,
  describe: { summary: 'Throws', answer: 'None.' },
});

function edgeOf(fail: () => never | Promise<never>) {
  const failures: unknown[] = [];
  const routes = PATHS.map((path) => throwing(path, fail));
  const edge = createTestEdge(routes, sampleSnapshot(), (_, error) => void failures.push(error));
  return { edge, failures };
}

for (const [how, fail] of [
  [
    'at once',
    () => {
      throw new TypeError(SECRET);
    },
  ],
  ['later', () => Promise.reject(new TypeError(SECRET))],
] as const) {
  test(`answers a bug that throws ${how} with 500 in the endpoint's envelope, without its text [ERR-28]`, async () => {
    const { edge, failures } = edgeOf(fail);
    for (const path of PATHS) {
      const request = new Request(`http://host${path}`, {
        method: 'POST',
        headers: { host: 'host' },
        body: '{}',
      });
      const response = await handleRequest(edge, request, fromLoopback);
      const text = await response.text();
      const { type, error } = JSON.parse(text);
      expect({ path, status: response.status, errorCode: response.headers.get('x-svc-error-code') }).toEqual({
        path,
        status: 500,
        errorCode: 'internal_error',
      });
      const isMessages = path === '/v1/messages';
      expect([type, error.type, error.code]).toEqual(
        isMessages ? ['error', 'api_error', 'internal_error'] : [undefined, 'server_error', 'internal_error'],
      );
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('TypeError');
    }
    expect(failures.map(String)).toEqual(PATHS.map(() => `TypeError: ${SECRET}`));
  });
}
