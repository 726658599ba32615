import type { SystemName } from '../benchmark-report.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { Workplace } from '../workplace.ts';
import type { Installation, Programs } from './find-program.ts';

/** The inputs for starting a system. The system writes only below `directory`. */
export type PeerInputs = Workplace & {
  upstreamPort: number;
  /** The programs that the command line names. */
  programs: Programs;
};

/** A system that the benchmark compares with Tollgate. */
export type Peer = {
  name: SystemName;
  /** The name of the peer in tables. */
  title: string;
  language: string;
  /** The version that is installed, and the name of its folder. */
  version: string;
  /** `null` if the command line must name a program. */
  installation: Installation | null;
  /** The checks and records of each request of the benchmark. */
  metering: string;
  /** The work that Tollgate does for these requests and the peer does not. */
  omits: string;
  start: (inputs: PeerInputs) => Promise<SystemUnderTest>;
};
