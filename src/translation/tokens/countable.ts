import type { ImageDetail } from './image-rules.ts';

/**
 * A part of a prompt, as far as its length matters.
 * Media are base64 text, or undefined if only an address was sent.
 */
export type Countable =
  | { kind: 'text'; text: string }
  | { kind: 'image'; data: string | undefined; detail: ImageDetail }
  | { kind: 'pdf'; data: string | undefined }
  | { kind: 'audio'; data: string; isWav: boolean }
  /** Framing of a fixed length. */
  | { kind: 'tokens'; tokens: number };
