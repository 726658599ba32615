import type { ApiKey } from './api-key.ts';
import { generateKey, hashKey, keyHint } from './key-format.ts';

/** A secret for its owner, and the parts of the key that are stored instead. */
type NewSecret = { secret: string; stored: Pick<ApiKey, 'hash' | 'hint'> };

/** Makes a secret that begins with the prefix. */
export function newSecret(prefix: string): NewSecret {
  const secret = generateKey(prefix);
  return { secret, stored: { hash: hashKey(secret), hint: keyHint(secret, prefix) } };
}
