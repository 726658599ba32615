import { CommandFailure } from '../command-failure.ts';
import { isSigned } from '../is-signed.ts';
import { isUrl, readPlace } from './read-place.ts';

const MAX_BYTES = 5_000_000;
const MAX_SIGNATURE_BYTES = 1_000;

export type PriceSource = {
  /** The path or the URL of the file. */
  place: string;
  /** The keys of `catalog.price_keys`. */
  keys: readonly string[];
  /** True if a URL needs no signature while there are no keys. */
  isUnsigned: boolean;
};

/** Reads a price file and checks its signature. Throws if the file may not be used. */
export async function readPrices({ place, keys, isUnsigned }: PriceSource): Promise<string> {
  if (keys.length === 0 && isUrl(place) && !isUnsigned)
    throw new CommandFailure(
      'a price file from an address needs a signature: set catalog.price_keys, or use --unsigned',
    );
  const bytes = await readPlace(place, MAX_BYTES);
  if (keys.length > 0) await checkSignature(bytes, place, keys);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${place} is not UTF-8 text`);
  }
}

async function checkSignature(bytes: Uint8Array, place: string, keys: readonly string[]): Promise<void> {
  const placeOfSignature = signaturePlace(place);
  const signature = new TextDecoder().decode(await readPlace(placeOfSignature, MAX_SIGNATURE_BYTES));
  if (!isSigned(bytes, signature, keys))
    throw new CommandFailure(
      `${placeOfSignature} is not a signature of ${place} by any key in catalog.price_keys`,
    );
}

function signaturePlace(place: string): string {
  if (!isUrl(place)) return `${place}.sig`;
  const url = new URL(place);
  url.pathname += '.sig';
  return url.href;
}
