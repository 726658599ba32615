/** A field that a translation dropped or approximated, as a short code for the log, a metric and a header. */
export type Loss = { code: LossCode };

export const lossCodes = [
  'cache-breakpoint',
  'cache-retention',
  'citation',
  'code-execution',
  'computer-use',
  'context-management',
  'document-context',
  'effort-lowered',
  'file-search',
  'freeform-tool',
  'hosted-tool-limit',
  'image-detail',
  'image-generation',
  'logit-bias',
  'logprobs',
  'long-context',
  'max-tool-calls',
  'mcp',
  'metadata',
  'moderation',
  'namespace-flattened',
  'opaque-block',
  'opaque-tool',
  'output-format',
  'parallel-tool-calls',
  'penalty',
  'prediction',
  'programmatic-calls',
  'replay-token',
  'sampling',
  'seed',
  'service-tier',
  'speed',
  'store',
  'strict-tool',
  'system-position',
  'thinking-block',
  'thinking-budget',
  'tool-choice',
  'tool-error-flag',
  'tool-result-media',
  'tool-search',
  'top-k',
  'truncation',
  'user-hint',
  'verbosity',
  'web-search',
] as const;

export type LossCode = (typeof lossCodes)[number];

/** Lists each kind of loss once. */
export const lossCodesOf = ({ losses }: { losses: readonly Loss[] }): LossCode[] => [
  ...new Set(losses.map(({ code }) => code)),
];
