import type { SystemName } from '../benchmark-report.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import type { Installation } from './find-program.ts';

/** A system that the benchmark compares with Tollgate. */
export type Peer = {
  name: SystemName;
  /** Its name and language in tables. */
  title: string;
  language: string;
  /** The version that is installed, and the name of its folder. */
  version: string;
  /** It is `null` if the reader must name a program. */
  installation: Installation | null;
  /** The work that it does for each request of the benchmark: checks and records. */
  metering: string;
  /** The work that it leaves out for these requests. */
  omits: string;
  start: (surroundings: Surroundings) => Promise<SystemUnderTest>;
};
