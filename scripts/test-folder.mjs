// The folder for the temporary files of a test run.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** The free memory that is required. A full run needs a quarter of this. */
const MEMORY_BYTES = 6_000_000_000;

/** Makes a folder that is removed when this process ends. Each start of a server flushes a dozen files. */
export function makeTestFolder() {
  const folder = mkdtempSync(join(findPlace(), 'tollgate-run-'));
  // A Postgres server that root starts has another user.
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Containers often forbid to execute files in memory, and the tests execute a program there. */
const forbidsPrograms = () =>
  /^\S+ \/dev\/shm \S+ (\S+,)?noexec\b/m.test(readFileSync('/proc/mounts', 'utf8'));

/** Returns a folder in memory if there is space, and if the environment does not set TMPDIR. */
function findPlace() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MEMORY_BYTES || forbidsPrograms() ? tmpdir() : MEMORY;
}
