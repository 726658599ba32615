/** An answer of the upstream. A stream with a `large-delta` has one large event between small ones. */
type AnswerForm =
  | { kind: 'whole' | 'many-deltas' | 'large-delta'; megabytes: number }
  /** A stream that sends one delta and never ends. */
  | { kind: 'idle' };

export type StrainAnswer = AnswerForm & { thinkingMs?: number };

/** The models of the upstream, and their answers. */
export const strainModels = {
  thinks: { kind: 'whole', megabytes: 0, thinkingMs: 1_000 },
  'whole-0': { kind: 'whole', megabytes: 0 },
  'whole-60': { kind: 'whole', megabytes: 60 },
  'stream-24': { kind: 'many-deltas', megabytes: 24 },
  'frame-10': { kind: 'large-delta', megabytes: 10 },
  idle: { kind: 'idle' },
} as const satisfies Readonly<Record<string, StrainAnswer>>;

/** The wires of the upstream. In the gateway, a model's name ends with the suffix of its wire. */
export const strainWires = {
  chat: { id: 'openai-chat', suffix: '' },
  messages: { id: 'anthropic-messages', suffix: '-messages' },
  responses: { id: 'openai-responses', suffix: '-responses' },
} as const;

export type StrainWire = keyof typeof strainWires;
