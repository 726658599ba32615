/** An image, a document or a sound. */
export type Media = {
  kind: 'image' | 'document' | 'audio';
  mediaType: string;
  /** Undefined if only a URL or a file id was sent. */
  bytes?: number;
  source?: string;
  name?: string;
  /** The text of a plain-text document. */
  text?: string;
};

/** A part of a turn in the form that all wires share. */
export type PromptPart =
  | { kind: 'text'; text: string }
  /** The summary of a compaction. It replaces everything before it. */
  | { kind: 'summary'; text: string }
  | Media
  | { kind: 'thinking'; text: string; signature?: string | undefined }
  | { kind: 'tool-call'; id: string; name: string; input: string }
  | { kind: 'tool-result'; id: string; parts: PromptPart[]; hasFailed: boolean };

/** The time for which a vendor keeps a prefix of a prompt after a cache breakpoint. */
export type CacheLifetime = '5m' | '1h';

/** A part of a turn, which can end at a cache breakpoint. */
export type MarkedPart = PromptPart & { breakpoint?: CacheLifetime | undefined };
