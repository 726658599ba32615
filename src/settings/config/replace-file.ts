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
 * Writes a file atomically, whether it exists or not. The file survives a loss of power. A failed write
 * changes nothing and leaves no copy.
 */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const temporary = temporaryPath(file);
  try {
    await writeNew(temporary, text, mode);
    await rename(temporary, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

/**
 * Writes a file atomically unless it exists, and reports whether it did. If several processes write the same
 * file, one succeeds. A failed write leaves nothing.
 */
export async function createWhole(file: string, text: string, mode: number): Promise<boolean> {
  const temporary = temporaryPath(file);
  try {
    await writeNew(temporary, text, mode);
    await link(temporary, file);
    await syncDirectory(dirname(file));
    return true;
  } catch (error) {
    if (codeOfError(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await removeQuietly(temporary);
  }
}

/**
 * Replaces a file atomically and keeps its mode. Returns false, and changes nothing, if the file no longer
 * has the text `from`, which the new text was made from.
 */
export async function replaceFile(
  file: string,
  { from, to: text }: { from: string; to: string },
): Promise<boolean> {
  const { mode } = await stat(file);
  const temporary = temporaryPath(file);
  try {
    await writeNew(temporary, text, mode & 0o777);
    const isSame = new TextDecoder().decode(await readFile(file)) === from;
    await (isSame ? rename(temporary, file) : unlink(temporary));
    return isSame;
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

const temporaryPath = (file: string): string =>
  join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}`);

/** Removes a file. Only the failure of the write before it is reported. */
const removeQuietly = (file: string): Promise<void> => unlink(file).catch(() => {});
