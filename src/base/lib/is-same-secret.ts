import { timingSafeEqual } from 'node:crypto';

const digest = (text: string): Uint8Array => new Bun.CryptoHasher('sha256').update(text).digest();

/** Compares two secrets in constant time. Digests have equal lengths. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
