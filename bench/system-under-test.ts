import type { SystemName } from './benchmark-report.ts';
import type { Programs } from './peers/find-program.ts';
import type { Workplace } from './workplace.ts';

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
export type Surroundings = Workplace & {
  upstreamPort: number;
  /** The programs that the command line names. */
  programs: Programs;
};
