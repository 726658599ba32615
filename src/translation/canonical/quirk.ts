/** Differences of hosts from their protocol's vendor. Each quirk is applied in one place, for requests of every dialect. */
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

/** The headers that hosts can take their key in. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

export type UpstreamKeyHeader = (typeof keyHeaders)[number];
