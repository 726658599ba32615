import type { Skipped } from '../benchmark-report.ts';
import type { ChildProcesses } from '../child-processes.ts';
import type { Bench } from '../measure.ts';
import type { CompareOptions } from './compare-options.ts';
import type { MachineLoad } from './machine-load.ts';

/** A comparison that is under way. */
export type ComparisonRun = {
  options: CompareOptions;
  directory: string;
  /** Tollgate and its peers, on one core. */
  systems: ChildProcesses;
  /** The load generator and the upstream, on the other cores. */
  load: ChildProcesses;
  machine: MachineLoad;
  report: (line: string) => void;
  skipped: Skipped[];
  /** The largest share of the machine that other processes used in a round that counts. */
  foreignShare: number;
};

export const benchOf = ({ load, directory }: ComparisonRun, connections: number): Bench => ({
  children: load,
  directory,
  connections,
});
