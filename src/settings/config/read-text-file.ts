import { open } from 'node:fs/promises';

const LARGEST = 5 * 1024 * 1024;

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a directory, not a file',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
};

/** The text of a file, or in words why there is none. */
export async function readTextFile(file: string): Promise<{ text: string } | { reason: string }> {
  try {
    const bytes = await readBounded(file);
    if (bytes === undefined) return { reason: `is larger than ${LARGEST / 1024 / 1024} MB` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'is not UTF-8 text' };
    const { code = '' } = error as NodeJS.ErrnoException;
    return { reason: reasons[code] ?? `cannot be read (${code})` };
  }
}

/** Reads no more than allowed even of what has no size, like a pipe. Undefined: there is more. */
async function readBounded(file: string): Promise<Uint8Array | undefined> {
  await using handle = await open(file);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ end: LARGEST })) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return size > LARGEST ? undefined : Buffer.concat(chunks);
}
