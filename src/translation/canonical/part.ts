import type { ProtocolId } from './protocol-id.ts';

/**
 * Opaque proof that a protocol wants handed back unchanged on a later turn: a thinking signature, a redacted block, an encrypted reasoning
 * item, a thought signature. Never read; never sent to another protocol than `issuer`, except packed in that dialect's own opaque field.
 */
export type ReplayToken = { issuer: ProtocolId; itemId?: string; data: string };

export type MediaSource =
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'url'; url: string }
  | { kind: 'file'; fileId: string }
  | { kind: 'text'; text: string };

/** Kept as the vendor's own object: their shapes share only the purpose. */
export type Citation = { issuer: ProtocolId; url?: string; title?: string; citedText?: string; raw: unknown };

/** Arguments stay text until an encoder needs an object: models emit invalid JSON, and bytes must survive. */
export type ToolInput = { kind: 'json' | 'freeform'; text: string };

/** What comes before it should be cached; how long is the vendor's word, like `5m` or `1h`. */
export type CacheBreakpoint = { ttl?: string };

/** Any part of a request may end a cached prefix. */
type Cacheable = { cache?: CacheBreakpoint };

export type TextPart = Cacheable & { kind: 'text'; text: string; citations?: Citation[] };
export type ImagePart = Cacheable & { kind: 'image'; source: MediaSource; detail?: 'low' | 'high' | 'auto' };
export type DocumentPart = Cacheable & {
  kind: 'document';
  source: MediaSource;
  filename?: string;
  title?: string;
  context?: string;
  citable?: boolean;
};
export type AudioPart = { kind: 'audio'; source: MediaSource };
export type RefusalPart = { kind: 'refusal'; text: string };
/** `summary`: what the vendor shows in place of the thinking itself. */
export type ThinkingPart = { kind: 'thinking'; text: string; form: 'full' | 'summary'; replay?: ReplayToken };
export type RedactedThinkingPart = { kind: 'redacted-thinking'; replay: ReplayToken };
export type ToolCallPart = Cacheable & {
  kind: 'tool-call';
  callId: string;
  /** The vendor's own id of the item, where it has one beside the call's. */
  itemId?: string;
  name: string;
  /** Tool group, like the `crm` of `crm.find_contact`; flattened for protocols without groups. */
  namespace?: string;
  input: ToolInput;
  /** Google signs calls as well as thoughts. */
  replay?: ReplayToken;
};
export type ToolResultContent = TextPart | ImagePart | DocumentPart;
export type ToolResultPart = Cacheable & {
  kind: 'tool-result';
  callId: string;
  content: ToolResultContent[];
  /** Answers a freeform call. */
  isFreeform?: boolean;
  isError?: boolean;
};
/** A block without a meaning here (hosted tools, new kinds). Reaches its own protocol untouched, and is a loss elsewhere. */
export type OpaquePart = { kind: 'opaque'; issuer: ProtocolId; block: unknown };

/** What a model may say. */
export type OutputPart =
  | TextPart
  | RefusalPart
  | ThinkingPart
  | RedactedThinkingPart
  | ToolCallPart
  | OpaquePart;
/** What may stand in a turn of a request. */
export type Part = OutputPart | ImagePart | DocumentPart | AudioPart | ToolResultPart;
