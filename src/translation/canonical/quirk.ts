/** In what a host differs from its protocol's own vendor. Each is heeded in one place, wherever the request came from. */
export const quirks = [
  'deployment-in-path',
  'max-completion-tokens-only',
  'max-tokens-only',
  'no-developer-role',
  'no-parallel-tool-calls',
  'no-stream-options',
  'random-seed',
  'rejects-unknown-fields',
] as const;

export type Quirk = (typeof quirks)[number];

/** The header that a host takes its key in. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

export type UpstreamKeyHeader = (typeof keyHeaders)[number];
