import { createPublicKey, verify } from 'node:crypto';

/** The DER prefix of an Ed25519 public key, before its 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;

/**
 * Reports whether one of the keys has signed these bytes. Keys are base64 of 32 bytes, and the signature is
 * base64 of 64.
 */
export function isSigned(bytes: Uint8Array, signature: string, keys: readonly string[]): boolean {
  const signatureBytes = Buffer.from(signature.trim(), 'base64');
  if (signatureBytes.length !== SIGNATURE_BYTES) return false;
  return keys.some((key) => {
    const der = Buffer.concat([SPKI_PREFIX, Buffer.from(key, 'base64')]);
    try {
      return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), signatureBytes);
    } catch {
      return false; // the key is not a point of the curve
    }
  });
}
