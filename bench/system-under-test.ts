import type { SystemName } from './benchmark-report.ts';
import type { ChildProcesses } from './child-processes.ts';
import type { Programs } from './peers/find-program.ts';

/** A running system that answers the requests of the scenarios. */
export type SystemUnderTest = {
  name: SystemName;
  /** `null` means that its CPU time is not measured. */
  pid: number | null;
  url: string;
  headers: Record<string, string>;
  /** The model that its requests name. `undefined` means that of the scenario. */
  model?: string;
};

/** The inputs for starting a peer. The peer writes only below `directory`. */
export type Surroundings = {
  children: ChildProcesses;
  upstreamPort: number;
  directory: string;
  /** The programs that the reader names. */
  programs: Programs;
};
