import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ends background processes that a client left behind. They are found by their home directory. */
export function endLeftovers(home) {
  if (!existsSync('/proc')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      if (Number(pid) !== process.pid && environment.includes(`HOME=${home}`)) process.kill(Number(pid));
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
}
