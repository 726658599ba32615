import type { CanonicalRequest } from '../request.ts';

/** Returns a request without special options. */
export const plainRequest = (changes: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  model: 'm',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  hints: {},
  ...changes,
});
