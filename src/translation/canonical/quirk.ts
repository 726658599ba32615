/**
 * Differences of hosts from their protocol's vendor.
 * Each quirk is applied in one place, for requests of every dialect.
 */
export const quirks = [
  'deployment-in-path',
  'max-completion-tokens-only',
  'max-tokens-only',
  'no-developer-role',
  'no-parallel-tool-calls',
  'no-stream-options',
  'random-seed',
  'rejects-unknown-fields',
  'replays-reasoning',
  'thinking-by-flag',
  'thinking-by-reasoning',
  'thinking-by-type',
  'thinking-in-ceiling',
  'thinking-in-content',
] as const;

export type Quirk = (typeof quirks)[number];

/** The fields with which a host turns thinking on or off, in addition to efforts. */
export type ThinkingField = Extract<Quirk, `thinking-by-${string}`>;

/** Returns the field with which a host turns thinking on or off, if it has one. */
export const thinkingFieldOf = (own: readonly Quirk[]): ThinkingField | undefined =>
  own.find((quirk): quirk is ThinkingField => quirk.startsWith('thinking-by-'));

/** Reports whether a host takes a budget of thinking tokens in its field. */
export const takesBudget = (field: ThinkingField | undefined): boolean =>
  field === 'thinking-by-flag' || field === 'thinking-by-reasoning';
