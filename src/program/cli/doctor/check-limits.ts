import { readFile } from 'node:fs/promises';
import { type Check, fail, ok, warn } from './finding.ts';

const CHECK = 'limits';
const FEWEST_OPEN_FILES = 4_096;

export const checkLimits: Check = async () => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => undefined);
  if (limits === undefined)
    return [warn(CHECK, 'the limits cannot be read on this system', 'see `ulimit -n`')];
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  const message = `${soft} open files`;
  if (soft === 'unlimited' || Number(soft) >= FEWEST_OPEN_FILES) return [ok(CHECK, message)];
  // Every request in flight holds two: the client's connection and the provider's.
  return [
    fail(CHECK, message, `raise it to ${FEWEST_OPEN_FILES} or more: ulimit -n, or LimitNOFILE in systemd`),
  ];
};
