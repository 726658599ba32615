import { openText, sealText } from '../../base/lib/seal-bytes.ts';

/** The key and the model that may send a token back. */
type TokenOwner = { keyId: string; model: string };

/** A vendor's token and its owner. */
type Continuation = TokenOwner & { token: string };

/** Seals a token, so that no other key and no other model can use it. */
export const sealContinuation = (continuation: Continuation, key: Uint8Array): string =>
  sealText(JSON.stringify(continuation), key);

/** Opens a sealed token. Returns undefined if it was not sealed for this key and model. */
export function openContinuation(
  sealed: string,
  { keyId, model, key }: TokenOwner & { key: Uint8Array },
): string | undefined {
  const text = openText(sealed, key);
  if (text === undefined) return undefined;
  const opened = JSON.parse(text) as Partial<Continuation>;
  return opened.keyId === keyId && opened.model === model ? opened.token : undefined;
}
