import { open } from 'node:fs/promises';
import { codeOfError } from '../../../base/lib/error-code.ts';
import { sendPlain } from '../../../base/lib/send-plain.ts';
import { CommandFailure } from '../command-failure.ts';

const TIMEOUT_MS = 30_000;

/** Reports whether a place is a URL. Otherwise it is the path of a file. */
export const isUrl = (place: string): boolean => /^https?:\/\//i.test(place);

/** Reads a file or a URL. Throws if it has more bytes than allowed. */
export const readPlace = (place: string, maxBytes: number): Promise<Uint8Array> =>
  isUrl(place) ? readUrl(place, maxBytes) : readLocal(place, maxBytes);

async function readLocal(file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    await using handle = await open(file);
    return await readStream(handle.createReadStream({ end: maxBytes }), file, maxBytes);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      codeOfError(error) === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read`,
    );
  }
}

/** Reads a stream to its end, unless it is too large. */
async function readStream(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new CommandFailure(`${place} has more than ${maxBytes / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readUrl(url: string, maxBytes: number): Promise<Uint8Array> {
  const response = await sendPlain({
    url,
    method: 'GET',
    headers: {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new CommandFailure(`${url} cannot be reached`);
  });
  if (!response.ok) throw new CommandFailure(`${url} answered ${response.status}`);
  return readStream(response.body ?? [], url, maxBytes).catch((error) => {
    throw error instanceof CommandFailure
      ? error
      : new CommandFailure(`${url} ended before the whole file arrived`);
  });
}
