import type { SystemName } from './benchmark-report.ts';
import type { ChildProcesses } from './child-processes.ts';

/** A running system that answers the requests of the scenarios. */
export type SystemUnderTest = {
  name: SystemName;
  /** `null` means that its CPU time is not measured. */
  pid: number | null;
  url: string;
  headers: Record<string, string>;
};

/** The inputs for starting a peer. The peer writes only below `directory`. */
export type Surroundings = { children: ChildProcesses; upstreamPort: number; directory: string };
