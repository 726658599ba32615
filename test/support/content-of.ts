import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the bytes of all files below a folder as one text, for a search in them. */
export const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
