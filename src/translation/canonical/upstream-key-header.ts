/** The headers that hosts can take their key in. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

export type UpstreamKeyHeader = (typeof keyHeaders)[number];
