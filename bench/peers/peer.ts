import type { SystemName } from '../benchmark-report.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import type { Installation } from './find-program.ts';

/** A system that the benchmark compares with Tollgate. */
export type Peer = {
  name: SystemName;
  /** Its name in tables. */
  title: string;
  language: string;
  /** The version that is installed, and the name of its folder. */
  version: string;
  /** It is `null` if the command line must name a program. */
  installation: Installation | null;
  /** The checks and records of each request of the benchmark. */
  metering: string;
  /** The work of Tollgate that it leaves out for these requests. */
  omits: string;
  start: (surroundings: Surroundings) => Promise<SystemUnderTest>;
};
