import type { SystemName } from './benchmark-report.ts';
import type { ChildProcesses } from './child-processes.ts';

/** Something that answers the scenarios' requests, running. */
export type SystemUnderTest = {
  name: SystemName;
  /** Null when its CPU is not of interest. */
  pid: number | null;
  url: string;
  headers: Record<string, string>;
};

/** What a peer needs to start. Everything it writes goes below `directory`. */
export type Surroundings = { children: ChildProcesses; upstreamPort: number; directory: string };
