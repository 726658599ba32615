import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOfError } from '../../base/lib/error-code.ts';
import { syncDirectory } from '../../base/lib/sync-directory.ts';

/** Writes a file that must not exist yet. */
export async function writeNew(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, 'wx', mode);
  await handle.writeFile(text);
  await handle.sync();
}

/**
 * Writes a file as a whole, whether it exists or not, and outlives a loss of power. A failed write changes
 * nothing and leaves no copy.
 */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const beside = besideOf(file);
  try {
    await writeNew(beside, text, mode);
    await rename(beside, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    await removed(beside);
    throw error;
  }
}

/**
 * Writes a file as a whole unless it exists, and reports whether it did. Of several processes that write the
 * same file, one succeeds. A failed write leaves nothing.
 */
export async function createWhole(file: string, text: string, mode: number): Promise<boolean> {
  const beside = besideOf(file);
  try {
    await writeNew(beside, text, mode);
    await link(beside, file);
    await syncDirectory(dirname(file));
    return true;
  } catch (error) {
    if (codeOfError(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await removed(beside);
  }
}

/**
 * Replaces a file as a whole. Its mode stays, and readers see the old or the new content. Returns false if
 * the file no longer has the text that the new one was made from, and stays as it is.
 */
export async function replaceFile(
  file: string,
  { from, to: text }: { from: string; to: string },
): Promise<boolean> {
  const { mode } = await stat(file);
  const beside = besideOf(file);
  try {
    await writeNew(beside, text, mode & 0o777);
    const isSame = new TextDecoder().decode(await readFile(file)) === from;
    await (isSame ? rename(beside, file) : unlink(beside));
    return isSame;
  } catch (error) {
    await removed(beside);
    throw error;
  }
}

const besideOf = (file: string): string => join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}`);

/** Removes a file. Only the failure of the write before it is reported. */
const removed = (file: string): Promise<void> => unlink(file).catch(() => {});
