import { expect, test } from 'bun:test';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import { countedRequests } from './counted-requests.ts';
import { offersHostedTools } from './offers-hosted-tools.ts';

test.each([
  [{}, 1],
  [{ prompts: 3 }, 3],
  [{ prompts: 3, answers: 6 }, 6],
  [{ answers: 2, written: 5 }, 5],
] as const)('a request with %j counts as %d', (request, count) => {
  expect(countedRequests(request as InferenceRequest)).toBe(count);
});

test.each([
  [{ tools: [{ type: 'function' }, { type: 'custom' }] }, false],
  [{ tools: [{ type: 'bash_20250124' }, { type: 'local_shell' }, { type: 'computer_use_preview' }] }, false],
  [{ tools: [{ name: 'a tool without a type' }] }, false],
  [{ tools: [{ type: 'web_search_20250305' }] }, true],
  [{ tools: [{ type: 'code_interpreter' }] }, true],
  [{ web_search_options: {} }, true],
  [{ mcp_servers: null }, false],
  [{ tools: 'none' }, false],
] as const)('whether %j offers tools that the vendor runs: %p', (body, expected) => {
  expect(offersHostedTools(body)).toBe(expected);
});
