import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'clock';
const FIRST_YEAR = 2026;
const LAST_YEAR = 2100;
const MAX_DIFFERENCE_MS = 2_000;
const READINGS = 1_000;

/** Checks that the clocks of the machine are plausible and agree. */
export const checkClock: Check = () => [checkYear(new Date()), checkMonotonic(), checkFileSystemTime()];

function checkYear(now: Date): Finding {
  const year = now.getUTCFullYear();
  if (year >= FIRST_YEAR && year <= LAST_YEAR)
    return ok(CHECK, `the system clock is at ${now.toISOString()}`);
  return fail(
    CHECK,
    `the system clock is at ${now.toISOString()}`,
    'set the system clock, for example with NTP',
  );
}

function checkMonotonic(): Finding {
  let before = performance.now();
  for (let reading = 0; reading < READINGS; reading++) {
    const now = performance.now();
    if (now < before)
      return fail(CHECK, 'the monotonic clock runs backwards', 'check the host of the virtual machine');
    before = now;
  }
  return ok(CHECK, 'the monotonic clock does not run backwards');
}

/** Compares the system clock with the clock of the file system. A network file system has its own. */
function checkFileSystemTime(): Finding {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
  try {
    const path = join(directory, 'now');
    writeFileSync(path, '');
    const differenceMs = Math.round(Math.abs(statSync(path).mtimeMs - Date.now()));
    if (differenceMs <= MAX_DIFFERENCE_MS) return ok(CHECK, 'the clock of the file system agrees');
    return warn(
      CHECK,
      `the clock of the file system differs by ${differenceMs} ms`,
      'synchronize both clocks with NTP',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}
