import { readFile } from 'node:fs/promises';
import type { Check } from './check.ts';
import { fail, ok, warn } from './finding.ts';

const CHECK = 'limits';
const MIN_OPEN_FILES = 4_096;

/** Checks the limit of open files of this process. */
export const checkLimits: Check = async () => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => undefined);
  if (limits === undefined)
    return [warn(CHECK, 'the process limits cannot be read on this system', 'check `ulimit -n`')];
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  const message = `limit of open files: ${soft}`;
  if (soft === 'unlimited' || Number(soft) >= MIN_OPEN_FILES) return [ok(CHECK, message)];
  // Every request in flight uses two: the client's connection and the provider's.
  return [
    fail(
      CHECK,
      message,
      `raise the limit to ${MIN_OPEN_FILES} or more with ulimit -n or LimitNOFILE in systemd`,
    ),
  ];
};
