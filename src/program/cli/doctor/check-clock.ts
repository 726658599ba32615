import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'clock';
const FIRST_YEAR = 2026;
const LAST_YEAR = 2100;
const MOST_DIFFERENCE_MS = 2_000;
const READINGS = 1_000;

export const checkClock: Check = () => [checkYear(new Date()), checkMonotonic(), checkFileSystemTime()];

function checkYear(now: Date): Finding {
  const year = now.getUTCFullYear();
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return ok(CHECK, `it is ${now.toISOString()}`);
  return fail(CHECK, `the clock says ${now.toISOString()}`, 'set the system clock, best with NTP');
}

function checkMonotonic(): Finding {
  let before = performance.now();
  for (let reading = 0; reading < READINGS; reading++) {
    const now = performance.now();
    if (now < before)
      return fail(CHECK, 'the monotonic clock runs backwards', 'look at the virtual machine host');
    before = now;
  }
  return ok(CHECK, 'the monotonic clock never runs backwards');
}

/** Another opinion on what time it is: a network file system has a clock of its own. */
function checkFileSystemTime(): Finding {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
  try {
    const path = join(directory, 'now');
    writeFileSync(path, '');
    const differenceMs = Math.round(Math.abs(statSync(path).mtimeMs - Date.now()));
    if (differenceMs <= MOST_DIFFERENCE_MS) return ok(CHECK, 'the file system agrees about the time');
    return warn(CHECK, `the file system is ${differenceMs} ms apart`, 'synchronise both clocks with NTP');
  } finally {
    rmSync(directory, { recursive: true });
  }
}
