import type { CacheBreakpoint, OpaquePart, Part, TextPart } from './part.ts';
import type { ProtocolId } from './protocol-id.ts';
import type { RawJson } from './raw-json.ts';

/**
 * A turn of a conversation. Tool results are parts of a user turn. Instructions in the middle of a
 * conversation are a turn of role `system`.
 */
export type Turn = { role: 'user' | 'assistant' | 'system'; parts: Part[] };

/** A tool whose input is JSON. */
export type FunctionTool = {
  kind: 'function';
  name: string;
  namespace?: string;
  description?: string;
  /** The JSON Schema of the input, as sent. Undefined if the tool takes no input. */
  inputSchema?: RawJson;
  strict?: boolean;
  /** The vendor's own call that a call of this function becomes in the answer. */
  standsFor?: string;
  cache?: CacheBreakpoint;
};

/**
 * A tool that takes text instead of JSON. The text can follow a grammar, which is the vendor's own object.
 */
export type FreeformTool = {
  kind: 'freeform';
  name: string;
  namespace?: string;
  description?: string;
  format?: RawJson;
};

/** A tool that only its own vendor runs or understands. */
export type OpaqueTool = { kind: 'opaque'; issuer: ProtocolId; tool: RawJson };

export type Tool = FunctionTool | FreeformTool | OpaqueTool;

/** The tools that the model may call. `any` and `named` are hard requirements. */
export type ToolChoice =
  | { kind: 'auto' }
  | { kind: 'none' }
  | { kind: 'any' }
  | { kind: 'named'; name: string; namespace?: string };

/** The form of the output. `json-schema` with `strict` is a hard requirement. */
export type OutputFormat =
  | { kind: 'text' }
  | { kind: 'json-object' }
  | { kind: 'json-schema'; name?: string; description?: string; schema: RawJson; strict?: boolean };

/** The client's options for thinking. */
export type Thinking = {
  /** `adaptive`: the model decides. `default`: the client set only an effort or the visibility. */
  mode: 'enabled' | 'adaptive' | 'disabled' | 'default';
  budgetTokens?: number;
  effort?: string;
  /**
   * True if a request for an effort that the model does not list is refused with 422. Otherwise the effort is
   * lowered.
   */
  effortIsRequired: boolean;
  /** True if the client gets the thinking. */
  visible: boolean;
  /**
   * The vendor's word for how much of the thinking to show: `auto`, `concise`, `detailed`, `summarized`,
   * `omitted`.
   */
  display?: string;
};

/** The options for choosing the next token, and the texts at which the answer ends. */
export type Sampling = {
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  stopSequences?: string[];
};

/** Optional hints to the service. Any translation can drop them. */
export type Hints = {
  /** The same key for all requests of a conversation. */
  cacheKey?: string;
  /** True if the client expects the vendor to cache the prompt, although it marks no part of the prompt. */
  wantsCache?: true;
  /** The end user's id for the vendor. */
  user?: string;
  serviceTier?: string;
  /** The vendor's word for how long to cache a prefix. */
  cacheRetention?: string;
};

/**
 * A request in a form that belongs to no vendor. Fields that only one protocol has are `undefined` or empty
 * if another protocol's request was decoded.
 */
export type CanonicalRequest = {
  model: string;
  stream: boolean;
  /** Instructions before the conversation. */
  system: TextPart[];
  turns: Turn[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  maxOutputTokens?: number;
  sampling: Sampling;
  format?: OutputFormat;
  thinking?: Thinking;
  /** The wanted length of the answer: `low`, `medium`, `high`. */
  verbosity?: string;
  /**
   * The number of answers. It exceeds one only if the wire supports several. For other wires the gateway
   * sends several requests.
   */
  choices?: number;
  logprobs?: { top?: number };
  hints: Hints;
  /** The answer is a summary of the conversation, as one item that replaces it. */
  compacts?: boolean;
  /** Blocks outside the turns that only the request's own protocol understands. */
  opaque?: OpaquePart[];
};
