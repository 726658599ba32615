import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryDirectory = { directory: string; remove(): void };

export function temporaryDirectory(): TemporaryDirectory {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-store-'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
