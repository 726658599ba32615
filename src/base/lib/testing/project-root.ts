import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findRoot(dirname(from));
}

/** The directory of the clone. */
export const projectRoot = findRoot(import.meta.dir);

/** Recordings and published schemas that some machines have beside the clone. Every test is complete without them. */
export const sharedRoot = join(projectRoot, '..', 'shared');
