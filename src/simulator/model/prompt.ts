/** An image, a document or a sound. */
export type Media = {
  kind: 'image' | 'document' | 'audio';
  mediaType: string;
  /** It is absent if only a URL or a file id was sent. */
  bytes?: number;
  source?: string;
  name?: string;
  /** The text of a plain-text document. */
  text?: string;
};

export type PromptPart =
  | { kind: 'text'; text: string }
  /** The summary of a compaction. It replaces everything before it. */
  | { kind: 'summary'; text: string }
  | Media
  | { kind: 'thinking'; text: string; signature?: string | undefined }
  | { kind: 'tool-call'; id: string; name: string; input: string }
  | { kind: 'tool-result'; id: string; parts: PromptPart[]; failed: boolean };

/** `cached` is a cache breakpoint after the part, with its time to live. */
export type MarkedPart = PromptPart & { cached?: CacheLifetime | undefined };
export type CacheLifetime = '5m' | '1h';

export type SimulatorTurn = { role: 'user' | 'assistant'; parts: MarkedPart[] };

export type SimulatorTool = {
  name: string;
  /** The group of the tool, on wires that have groups. */
  namespace?: string | undefined;
  description: string;
  /** It is absent for a freeform tool, whose input is plain text. */
  schema?: unknown;
};

export type SimulatorToolChoice = { kind: 'auto' | 'any' | 'none' } | { kind: 'named'; name: string };

export type SimulatorFormat = { kind: 'text' } | { kind: 'json' } | { kind: 'schema'; schema: unknown };

export type SimulatorReasoning = {
  effort: string;
  budgetTokens?: number | undefined;
};

export type SimulatorCompaction = {
  /** The prompt is compacted if it has this many tokens. */
  from: number;
  /** The answer ends after the compaction. */
  isAlone: boolean;
};

/** The common form of the requests of all wires. */
export type Prompt = {
  system: string;
  /** A cache breakpoint after the system prompt or the tools. */
  systemCached?: CacheLifetime | undefined;
  turns: SimulatorTurn[];
  tools: SimulatorTool[];
  toolChoice: SimulatorToolChoice;
  parallelTools: boolean;
  maxTokens?: number | undefined;
  stops: string[];
  format: SimulatorFormat;
  reasoning?: SimulatorReasoning | undefined;
  compaction?: SimulatorCompaction | undefined;
  /** The number of answers. */
  count: number;
  /**
   * `marked`: the cache covers the prompt up to the caller's breakpoints only.
   * `none`: the vendor does not cache such a prompt.
   */
  caching: 'automatic' | 'marked' | 'none';
};

/** The default prompt. A reader overrides the fields of its request. */
export const PLAIN_PROMPT: Prompt = {
  system: '',
  turns: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  parallelTools: true,
  stops: [],
  format: { kind: 'text' },
  count: 1,
  caching: 'automatic',
};
