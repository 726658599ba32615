import { open } from 'node:fs/promises';
import { codeOfError, codeOrText } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';

const MAX_BYTES = 5 * 1024 * 1024;

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory, not a file',
  EACCES: 'is not readable by this user',
  EPERM: 'is not readable by this user',
};

/** Reads a text file, or returns the reason why that failed. */
export async function readTextFile(file: string): Promise<{ text: string } | { reason: string }> {
  try {
    const bytes = await readBounded(file);
    if (bytes === undefined) return { reason: `is larger than ${MAX_BYTES / 1024 / 1024} MB` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'is not UTF-8 text' };
    return { reason: lookUp(reasons, codeOfError(error)) ?? `cannot be read (${codeOrText(error)})` };
  }
}

/**
 * Reads at most `MAX_BYTES` bytes, even from a pipe, which has no size. Returns undefined if the file is
 * larger.
 */
async function readBounded(file: string): Promise<Uint8Array | undefined> {
  await using handle = await open(file);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ end: MAX_BYTES })) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return size > MAX_BYTES ? undefined : Buffer.concat(chunks);
}
