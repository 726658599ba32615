/** What every wire's request is turned into. Vendor words end here. */
export type Media = {
  kind: 'image' | 'document' | 'audio';
  mediaType: string;
  /** Absent where only an address or a file id was sent. */
  bytes?: number;
  source?: string;
  name?: string;
  /** The text of a document that was sent as text. */
  text?: string;
};

export type PromptPart =
  | { kind: 'text'; text: string }
  | Media
  | { kind: 'thinking'; text: string; signature?: string | undefined }
  | { kind: 'tool-call'; id: string; name: string; input: string }
  | { kind: 'tool-result'; id: string; parts: PromptPart[]; failed: boolean };

/** `cached` is the vendor's cache breakpoint behind the part, with its time to live. */
export type MarkedPart = PromptPart & { cached?: CacheLifetime | undefined };
export type CacheLifetime = '5m' | '1h';

export type SimulatorTurn = { role: 'user' | 'assistant'; parts: MarkedPart[] };

export type SimulatorTool = {
  name: string;
  description: string;
  /** Absent for a freeform tool, whose input is plain text. */
  schema?: unknown;
};

export type SimulatorToolChoice = { kind: 'auto' | 'any' | 'none' } | { kind: 'named'; name: string };

export type SimulatorFormat = { kind: 'text' } | { kind: 'json' } | { kind: 'schema'; schema: unknown };

export type SimulatorReasoning = {
  effort: string;
  budgetTokens?: number | undefined;
};

export type Prompt = {
  system: string;
  /** A breakpoint behind the system prompt or the tools. */
  systemCached?: CacheLifetime | undefined;
  turns: SimulatorTurn[];
  tools: SimulatorTool[];
  toolChoice: SimulatorToolChoice;
  parallelTools: boolean;
  maxTokens?: number | undefined;
  stops: string[];
  format: SimulatorFormat;
  reasoning?: SimulatorReasoning | undefined;
  /** How many answers. */
  count: number;
  /** `marked`: only up to the caller's breakpoints. */
  caching: 'automatic' | 'marked';
};

/** A prompt that asks for nothing special; a reader overwrites what its request says. */
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
