import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

type ReadText = (file: string) => string;

const ROOT = '/sys/fs/cgroup';
const OWN_GROUPS = '/proc/self/cgroup';
/** Of version 2: what is refused past it, and what is slowed down past it. */
const LIMITS_V2 = ['memory.max', 'memory.high'];
const LIMITS_V1 = ['memory.limit_in_bytes'];

/**
 * What the process may use: the least limit of its control group and of those around it, else what the machine has. A service manager sets
 * its limit deep in the tree (`/system.slice/tollgate.service`), a container shows its own group as the root.
 */
export function memoryLimitBytes(read: ReadText = readText, machine = totalmem()): number {
  const files = read(OWN_GROUPS).split('\n').flatMap(limitFilesOf);
  const limits = [...files, ...filesIn('', '/'), ...filesIn('memory', '/')]
    .map((file) => Number.parseInt(read(file), 10))
    .filter((bytes) => bytes > 0);
  return Math.min(machine, ...limits);
}

/** Of a line `number:controllers:path`; version 2 names no controllers. */
function limitFilesOf(line: string): string[] {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined) return [];
  if (controllers === '') return [...filesIn('', path), ...filesIn('unified', path)];
  return controllers!.split(',').includes('memory') ? filesIn('memory', path) : [];
}

/** The limits of a group and of all that it lies in. */
function filesIn(mount: string, path: string): string[] {
  const names = mount === 'memory' ? LIMITS_V1 : LIMITS_V2;
  const base = mount === '' ? ROOT : `${ROOT}/${mount}`;
  const steps = path.split('/').filter((step) => step !== '');
  return steps
    .map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)
    .concat('')
    .flatMap((group) => names.map((name) => `${base}${group}/${name}`));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
