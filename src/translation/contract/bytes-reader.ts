import type { Usage } from '../canonical/usage.ts';

/** Follows the bytes of an answer that is neither text nor JSON. They pass through as they are. */
export type BytesReader = {
  take(piece: Uint8Array): void;
  /** The bytes so far. */
  readonly byteLength: number;
  /** Returns what the answer is billed for. */
  usage(): Usage;
  /** True if the bytes are kept until their length in seconds is known. */
  readonly keeps: boolean;
};
