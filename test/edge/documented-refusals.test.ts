import { afterAll, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer();
afterAll(server.stop);
const { paths } = (await server.call('/openapi.json')).body as Json;

const codes = (path: string, status: number): string[] =>
  Object.keys(paths[path].post.responses[status]?.content['application/json'].examples ?? {});

for (const path of [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
])
  test(`${path} documents its refusals for credits and limits`, () => {
    expect(codes(path, 402)).toEqual(
      expect.arrayContaining(['allowance_exhausted', 'insufficient_paid_credit', 'key_budget_exhausted']),
    );
    expect(codes(path, 429)).toEqual(
      expect.arrayContaining(['rate_limit_exceeded', 'concurrency_limit_exceeded', 'network_rate_limited']),
    );
    expect(codes(path, 400)).toContain('input_exceeds_plan');
  });
