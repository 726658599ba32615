import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../src/store/postgres/database.ts';
import { postgresForTest } from '../../../src/store/postgres/testing/postgres-for-test.ts';
import type { Populated } from './populate.ts';
import type { ResourceViews } from './read-views.ts';
import type { Acknowledged } from './traffic.ts';

const folder = join(import.meta.dir, '..', 'releases');
const unpacked = (...path: string[]): Buffer => Bun.zstdDecompressSync(readFileSync(join(folder, ...path)));

/** The state that a release has shown after a start on the files that its kill left. */
export type Expected = {
  /** Milliseconds. */
  killedAt: number;
  made: Populated;
  acknowledged: Acknowledged;
  shown: ResourceViews;
};

export const expectedOf = (release: string, store: 'embedded' | 'postgres'): Expected =>
  JSON.parse(unpacked(release, `${store}.json.zst`).toString());

/** The statements that nodes of the release send to Postgres. */
export const statementsOf = (release: string): string[] =>
  JSON.parse(unpacked(release, 'statements.json.zst').toString());

/** Writes the data directory that a killed process of the release has left. */
export function unpackDirectory(release: string, directory: string): string {
  mkdirSync(directory, { mode: 0o700 });
  for (const file of readdirSync(join(folder, release, 'directory')))
    writeFileSync(join(directory, file.slice(0, -'.zst'.length)), unpacked(release, 'directory', file), {
      mode: 0o600,
    });
  return directory;
}

const DEADLINE_MS = 60_000;

/** Makes the database that a killed node of the release has left. Its clock shows `at`. */
export async function loadDatabase(release: string, at: number): Promise<string> {
  const url = await (await postgresForTest()).create();
  const database = new Database({ url, maxConnections: 1, deadlineMs: DEADLINE_MS });
  await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await database.script(unpacked(release, 'database.sql.zst').toString());
  await database.run('UPDATE public.installation SET clock_ahead_ms = $1', [at - Date.now()]);
  await database.close();
  return url;
}

const LATER_MS = 5_000;

/**
 * Returns the environment in which the clock of a process shows the time after the kill. Sessions and batches
 * have not expired then.
 */
export const clockAfter = ({ killedAt }: Expected): Record<string, string> => ({
  TOLLGATE_TEST_CLOCK_SHIFT_MS: String(killedAt + LATER_MS - Date.now()),
});

export const preloadedClock = join(import.meta.dir, '..', '..', 'faults', 'nodes', 'shift-clock.ts');
