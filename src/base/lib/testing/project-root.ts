import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findRoot(dirname(from));
}

/** The directory of the clone. */
export const projectRoot = findRoot(import.meta.dir);

/** Optional recordings and published schemas next to the clone. Every test also runs without them. */
export const sharedRoot = join(projectRoot, '..', 'shared');
