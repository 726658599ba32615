import type { ChildProcesses } from './child-processes.ts';

/** The processes of a measurement, and the folder for its files and logs. */
export type Workplace = { children: ChildProcesses; directory: string };
