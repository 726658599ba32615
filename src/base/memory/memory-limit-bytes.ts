import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

type ReadText = (file: string) => string;

const ROOT = '/sys/fs/cgroup';
const OWN_GROUPS = '/proc/self/cgroup';
/**
 * Limits of control groups, version 2: the hard limit, and the limit above which the kernel slows the group
 * down.
 */
const LIMITS_V2 = ['memory.max', 'memory.high'];
const LIMITS_V1 = ['memory.limit_in_bytes'];

/**
 * Returns the memory that the process may use: the smallest limit of its control group and all enclosing
 * groups, or else the machine's memory. A service manager sets the limit deep in the tree
 * (`/system.slice/tollgate.service`). A container sees its own group as the root.
 */
export function memoryLimitBytes(read: ReadText = readText, machine = totalmem()): number {
  const files = read(OWN_GROUPS).split('\n').flatMap(limitFilesOf);
  const limits = [...files, ...filesIn('', '/'), ...filesIn('memory', '/')]
    .map((file) => Number.parseInt(read(file), 10))
    .filter((bytes) => bytes > 0);
  return Math.min(machine, ...limits);
}

/** Parses a line `number:controllers:path`. Version 2 names no controllers. */
function limitFilesOf(line: string): string[] {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined) return [];
  if (controllers === '') return [...filesIn('', path), ...filesIn('unified', path)];
  return controllers!.split(',').includes('memory') ? filesIn('memory', path) : [];
}

/** Lists the limit files of a group and all enclosing groups. */
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
