import { open } from 'node:fs/promises';

/** Flushes a directory, so that the names of its files survive a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
