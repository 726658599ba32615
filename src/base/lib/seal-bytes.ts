import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The length of a key for seals. */
export const SEAL_KEY_BYTES = 32;

/** The inputs of a seal. `place` names what the content belongs to. Only the same place can open it. */
export type SealUse = { key: Uint8Array; place: string };

/** Encrypts bytes, so that nobody without the key can read or change them. The result is base64url. */
export function sealBytes(bytes: Uint8Array, { key, place }: SealUse): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts the result of `sealBytes`. Returns undefined if it was sealed with another key or place, or was
 * changed since.
 */
export function openBytes(sealed: string, { key, place }: SealUse): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Encrypts a text that belongs to no place. */
export const sealText = (text: string, key: Uint8Array): string =>
  sealBytes(Buffer.from(text), { key, place: '' });

/** Decrypts the result of `sealText`. Returns undefined if it was sealed with another key, or was changed. */
export const openText = (sealed: string, key: Uint8Array): string | undefined =>
  openBytes(sealed, { key, place: '' })?.toString('utf8');
