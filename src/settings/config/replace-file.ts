import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file that must not exist yet. */
export async function writeNew(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, 'wx', mode);
  await handle.writeFile(text);
  await handle.sync();
}

/** Replaces a file as a whole. Its mode stays, and readers see the old or the new content. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const { mode } = await stat(file);
  const beside = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}`);
  try {
    await writeNew(beside, text, mode & 0o777);
    await rename(beside, file);
  } catch (error) {
    await unlink(beside).catch(() => {});
    throw error;
  }
}
