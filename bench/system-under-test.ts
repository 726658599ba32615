import type { SystemName } from './benchmark-report.ts';

/** A running system that answers the requests of the scenarios. */
export type SystemUnderTest = {
  name: SystemName;
  /** `null` if the CPU time of the system is not measured. */
  pid: number | null;
  url: string;
  headers: Record<string, string>;
  /** The model of the requests. By default they name the model of the scenario. */
  model?: string;
};
