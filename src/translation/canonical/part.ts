import type { ProtocolId } from './protocol-id.ts';

/**
 * Opaque data that a protocol expects back unchanged on a later turn: a thinking signature, a redacted block,
 * an encrypted reasoning item, a thought signature. The gateway never reads it. It goes only to the protocol
 * `issuer`, or to another one packed in that dialect's own opaque field.
 */
export type ReplayToken = { issuer: ProtocolId; itemId?: string; data: string };

/** The content of an image, a document or a sound, or where it is. `file`: a file at the vendor. */
export type MediaSource =
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'url'; url: string }
  | { kind: 'file'; fileId: string }
  | { kind: 'text'; text: string };

/** A citation, kept as the vendor's own object, because the vendors' formats have little in common. */
export type Citation = { issuer: ProtocolId; url?: string; title?: string; citedText?: string; raw: unknown };

/**
 * The arguments of a call. They stay text until an encoder needs an object, because models can emit invalid
 * JSON, and the bytes must not change.
 */
export type ToolInput = { kind: 'json' | 'freeform'; text: string };

/**
 * A cache breakpoint: the content before it should be cached.
 * The duration is the vendor's word, like `5m` or `1h`.
 */
export type CacheBreakpoint = { ttl?: string };

/** Any part of a request can end a cached prefix. */
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
/** `summary`: the vendor's summary in place of the thinking itself. */
export type ThinkingPart = { kind: 'thinking'; text: string; form: 'full' | 'summary'; replay?: ReplayToken };
export type RedactedThinkingPart = { kind: 'redacted-thinking'; replay: ReplayToken };
export type ToolCallPart = Cacheable & {
  kind: 'tool-call';
  callId: string;
  /** The vendor's own id of the item, if it has one besides the call's id. */
  itemId?: string;
  name: string;
  /** The tool group, like the `crm` in `crm.find_contact`. It is flattened for protocols without groups. */
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
  /** True if it answers a freeform call. */
  isFreeform?: boolean;
  isError?: boolean;
  /** True if the call has an earlier result. Only the vendor of the request takes a further one. */
  isRepeated?: boolean;
};
/**
 * A block that the canonical model does not interpret: a hosted tool, or a new kind. It reaches its own
 * protocol unchanged, and is a loss for others.
 */
export type OpaquePart = { kind: 'opaque'; issuer: ProtocolId; block: unknown };

/** The parts that a model can produce. */
export type OutputPart =
  | TextPart
  | RefusalPart
  | ThinkingPart
  | RedactedThinkingPart
  | ToolCallPart
  | OpaquePart;
/** The parts that a turn of a request can have. */
export type Part = OutputPart | ImagePart | DocumentPart | AudioPart | ToolResultPart;
