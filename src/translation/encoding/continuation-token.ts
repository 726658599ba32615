import { openText, sealText } from '../../base/lib/seal-text.ts';

/** A vendor's token, with the key and the model that may send it back. */
export type Continuation = { keyId: string; model: string; token: string };

/** Seals a token, so that no other key and no other model can use it. */
export const sealContinuation = (continuation: Continuation, key: Uint8Array): string =>
  sealText(JSON.stringify(continuation), key);

/** Opens a sealed token. Returns undefined if it was not sealed for this key and model. */
export function openContinuation(
  sealed: string,
  { keyId, model, key }: Omit<Continuation, 'token'> & { key: Uint8Array },
): string | undefined {
  const text = openText(sealed, key);
  if (text === undefined) return undefined;
  const opened = JSON.parse(text) as Partial<Continuation>;
  return opened.keyId === keyId && opened.model === model ? opened.token : undefined;
}
