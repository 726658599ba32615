import { open } from 'node:fs/promises';
import { codeOfError } from '../../../base/lib/error-code.ts';
import { sendPlain } from '../../../base/lib/send-plain.ts';
import { CommandFailure } from '../command-failure.ts';
import { isSigned } from '../is-signed.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5_000_000;

export type PriceSource = {
  /** A file or an address. */
  place: string;
  /** The keys of `catalog.price_keys`. */
  keys: readonly string[];
  /** Takes a URL without a signature while there are no keys. */
  isUnsigned: boolean;
};

const isUrl = (place: string): boolean => /^https?:\/\//i.test(place);

/** Reads a price file and checks its signature. Throws if it may not be used. */
export async function readPrices({ place, keys, isUnsigned }: PriceSource): Promise<string> {
  if (keys.length === 0 && isUrl(place) && !isUnsigned)
    throw new CommandFailure(
      'a price file from an address needs a signature: set catalog.price_keys, or use --unsigned',
    );
  const bytes = await readPlace(place);
  if (keys.length > 0) await checkSignature(bytes, place, keys);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${place} is not UTF-8 text`);
  }
}

async function checkSignature(bytes: Uint8Array, place: string, keys: readonly string[]): Promise<void> {
  const beside = signaturePlace(place);
  const signature = new TextDecoder().decode(await readPlace(beside));
  if (!isSigned(bytes, signature, keys))
    throw new CommandFailure(`${beside} is no signature of ${place} by a key of catalog.price_keys`);
}

function signaturePlace(place: string): string {
  if (!isUrl(place)) return `${place}.sig`;
  const url = new URL(place);
  url.pathname += '.sig';
  return url.href;
}

const readPlace = (place: string): Promise<Uint8Array> => (isUrl(place) ? readUrl(place) : readLocal(place));

async function readLocal(file: string): Promise<Uint8Array> {
  try {
    await using handle = await open(file);
    return await bounded(handle.createReadStream({ end: MAX_BYTES }), file);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      codeOfError(error) === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read`,
    );
  }
}

/** Reads a stream to its end, unless it is too large. */
async function bounded(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new CommandFailure(`${place} has more than ${MAX_BYTES / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readUrl(url: string): Promise<Uint8Array> {
  const response = await sendPlain({
    url,
    method: 'GET',
    headers: {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new CommandFailure(`${url} cannot be reached`);
  });
  if (!response.ok) throw new CommandFailure(`${url} answered ${response.status}`);
  return bounded(response.body ?? [], url).catch((error) => {
    throw error instanceof CommandFailure ? error : new CommandFailure(`${url} broke off`);
  });
}
