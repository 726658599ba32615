import type { CacheBreakpoint, OpaquePart, Part, TextPart } from './part.ts';
import type { ProtocolId } from './protocol-id.ts';
import type { RawJson } from './raw-json.ts';

/** Tool results are parts of a user's turn. Guidance in the middle of a conversation is a turn of role `system`. */
export type Turn = { role: 'user' | 'assistant' | 'system'; parts: Part[] };

export type FunctionTool = {
  kind: 'function';
  name: string;
  namespace?: string;
  description?: string;
  /** JSON Schema of the input, as sent. Undefined: takes none. */
  inputSchema?: RawJson;
  strict?: boolean;
  cache?: CacheBreakpoint;
};

/** Takes text in place of JSON, maybe in a grammar (the vendor's own object). */
export type FreeformTool = {
  kind: 'freeform';
  name: string;
  namespace?: string;
  description?: string;
  format?: RawJson;
};

/** A tool that only its own vendor runs or knows. */
export type OpaqueTool = { kind: 'opaque'; issuer: ProtocolId; tool: RawJson };

export type Tool = FunctionTool | FreeformTool | OpaqueTool;

/** `any` and `named` are hard requirements. */
export type ToolChoice =
  | { kind: 'auto' }
  | { kind: 'none' }
  | { kind: 'any' }
  | { kind: 'named'; name: string; namespace?: string };

/** `json-schema` with `strict` is a hard requirement. */
export type OutputFormat =
  | { kind: 'text' }
  | { kind: 'json-object' }
  | { kind: 'json-schema'; name?: string; description?: string; schema: RawJson; strict?: boolean };

export type Thinking = {
  /** `adaptive`: the model decides; `default`: the client did not say, but asked for an effort or to see it. */
  mode: 'enabled' | 'adaptive' | 'disabled' | 'default';
  budgetTokens?: number;
  effort?: string;
  /** Whether a model that cannot honour the effort refuses (422) or goes on without. */
  effortIsHard: boolean;
  /** Whether the client wants to see it. */
  visible: boolean;
  /** The vendor's word for how much of it: `auto`, `concise`, `detailed`, `summarized`, `omitted`. */
  display?: string;
};

export type Sampling = {
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  stopSequences?: string[];
};

/** What only helps the service: it may be dropped anywhere. */
export type Hints = {
  /** The same for every request of a conversation. */
  cacheKey?: string;
  /** Names the end user to the vendor. */
  user?: string;
  serviceTier?: string;
  /** The vendor's word for how long a prefix is to be cached. */
  cacheRetention?: string;
};

/** A request in no vendor's words. What one protocol alone has is `undefined` or empty where another decoded it. */
export type CanonicalRequest = {
  model: string;
  stream: boolean;
  /** Guidance that stands before the conversation. */
  system: TextPart[];
  turns: Turn[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  maxOutputTokens?: number;
  sampling: Sampling;
  format?: OutputFormat;
  thinking?: Thinking;
  /** How much it is to say: `low`, `medium`, `high`. */
  verbosity?: string;
  /** How many answers; more than one only where the wire can, else the gateway asks several times. */
  choices?: number;
  logprobs?: { top?: number };
  hints: Hints;
  /** Blocks of the request that only its own protocol understands, beside the turns. */
  opaque?: OpaquePart[];
};
