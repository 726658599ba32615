import type { CacheLifetime, MarkedPart } from './prompt-part.ts';

export type PromptTurn = { role: 'user' | 'assistant'; parts: MarkedPart[] };

/** A tool that the model can call. */
export type PromptTool = {
  name: string;
  /** The group of the tool, on wires that have groups. */
  namespace?: string | undefined;
  description: string;
  /** Undefined for a freeform tool, whose input is plain text. */
  schema?: unknown;
};

/** `any` requires a call, and `named` a call of one tool. */
export type PromptToolChoice = { kind: 'auto' | 'any' | 'none' } | { kind: 'named'; name: string };

/** The form of the answer. `json` is any JSON, and `enum` one value of a schema without quotation marks. */
export type PromptFormat = { kind: 'text' | 'json' } | { kind: 'schema' | 'enum'; schema: unknown };

/** The thinking that a request orders. Each wire has its own words for the effort. */
export type PromptReasoning = {
  effort: string;
  budgetTokens?: number | undefined;
};

/** The compaction of a long prompt into a summary. */
export type PromptCompaction = {
  /** The prompt is compacted if it has this many tokens. */
  from: number;
  /** True if the answer ends after the compaction. */
  isAlone: boolean;
};

/** The common form of the requests of all wires. */
export type Prompt = {
  system: string;
  /** A cache breakpoint after the system prompt or the tools. */
  systemBreakpoint?: CacheLifetime | undefined;
  turns: PromptTurn[];
  tools: PromptTool[];
  toolChoice: PromptToolChoice;
  allowsParallelCalls: boolean;
  maxTokens?: number | undefined;
  stops: string[];
  format: PromptFormat;
  reasoning?: PromptReasoning | undefined;
  compaction?: PromptCompaction | undefined;
  /** The number of answers. */
  count: number;
  /**
   * `automatic`: the cache covers any prefix that was sent before.
   * `marked`: it covers the prompt up to the caller's breakpoints only.
   * `none`: the vendor does not cache the prompt.
   */
  caching: 'automatic' | 'marked' | 'none';
};

/** The default prompt. A reader overrides the fields of its request. */
export const PLAIN_PROMPT: Prompt = {
  system: '',
  turns: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  allowsParallelCalls: true,
  stops: [],
  format: { kind: 'text' },
  count: 1,
  caching: 'automatic',
};
