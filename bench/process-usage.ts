import { readdirSync, readFileSync } from 'node:fs';

type ProcessUsage = { cpuUs: number; residentKb: number };
type ProcessStat = { parent: number; ticks: number };

/** USER_HZ, the unit of times in /proc. It is 100 on every Linux, whatever the kernel's tick. */
const TICK_US = 10_000;

/** Parses /proc/PID/stat. The ticks include all threads and all children that were waited for. */
export function parseProcessStat(line: string): ProcessStat {
  // The name is in parentheses and can itself contain parentheses and spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}

export function parseResidentKb(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
}

/** Lists a process and its descendants, root first. */
export function selectTree(root: number, parents: ReadonlyMap<number, number>): number[] {
  const tree = [root];
  for (const member of tree) {
    for (const [pid, parent] of parents) if (parent === member) tree.push(pid);
  }
  return tree;
}

function readStats(): Map<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = readIfPresent(`/proc/${name}/stat`);
    if (line !== null) stats.set(Number(name), parseProcessStat(line));
  }
  return stats;
}

/** Reads a file of /proc. The process may have ended since it was listed. */
function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

const parentsOf = (stats: ReadonlyMap<number, ProcessStat>) =>
  new Map([...stats].map(([pid, { parent }]) => [pid, parent]));

/** Returns the CPU time since the start and the resident memory of a process and its descendants. */
export function readProcessUsage(root: number): ProcessUsage {
  const stats = readStats();
  const usage = { cpuUs: 0, residentKb: 0 };
  for (const pid of selectTree(root, parentsOf(stats))) {
    usage.cpuUs += (stats.get(pid)?.ticks ?? 0) * TICK_US;
    usage.residentKb += parseResidentKb(readIfPresent(`/proc/${pid}/status`) ?? '');
  }
  return usage;
}

/** Lists a running process and its descendants, root first. */
export const listProcessTree = (root: number): number[] => selectTree(root, parentsOf(readStats()));

/** Lists the descendants of a running process. */
export const listDescendants = (root: number): number[] => listProcessTree(root).slice(1);
