import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildProcesses } from './child-processes.ts';

/** The folder and the processes of one measurement. */
type Sandbox = {
  directory: string;
  /** Makes a group of processes, which run only on these cores, such as `0,2`. By default they run on all. */
  processes(cores?: string): ChildProcesses;
};

/** Runs a measurement. Its processes and its folder are gone at the end, even after a failure or a signal. */
export async function inSandbox<Result>(
  name: string,
  measure: (sandbox: Sandbox) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), `tollgate-${name}-`));
  const groups: ChildProcesses[] = [];
  const cleanUp = () => rmSync(directory, { recursive: true, force: true });
  const abandon = () => {
    for (const group of groups) group.killAll();
    cleanUp();
    process.exit(130);
  };
  process.once('SIGINT', abandon).once('SIGTERM', abandon);
  const processes = (cores?: string) => {
    const group = new ChildProcesses(cores);
    groups.push(group);
    return group;
  };
  try {
    return await measure({ directory, processes });
  } finally {
    for (const group of groups) await group.stopAll();
    cleanUp();
    process.off('SIGINT', abandon).off('SIGTERM', abandon);
  }
}
