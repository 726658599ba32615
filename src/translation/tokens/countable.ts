import type { ImageDetail } from './image-rules.ts';

/** What a prompt is made of, as far as its length goes. Media are base64 text, undefined where only an address was sent. */
export type Countable =
  | { kind: 'text'; text: string }
  | { kind: 'image'; data: string | undefined; detail: ImageDetail }
  | { kind: 'pdf'; data: string | undefined }
  | { kind: 'audio'; data: string; isWav: boolean }
  /** Framing that is the same whatever stands in it. */
  | { kind: 'tokens'; tokens: number };
