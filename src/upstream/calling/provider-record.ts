import { LatencyWindow } from '../../base/lib/latency-window.ts';
import type { CallTrouble } from './call-trouble.ts';
import { FaultWatch } from './fault-watch.ts';
import { OutcomeWindow } from './outcome-window.ts';
import type { ProbeResult } from './provider-activity-view.ts';

/** The calls to one provider and its faults, as this process has seen them. */
export class ProviderRecord {
  readonly id: string;
  slotsInUse = 0;
  requestsTotal = 0;
  errorsTotal = 0;
  /** The calls that the provider has answered. */
  successesTotal = 0;
  lastErrorAt: number | null = null;
  lastError: (CallTrouble & { at: number }) | null = null;
  isDrained = false;
  readonly latencies = new LatencyWindow();
  readonly outcomes = new OutcomeWindow();
  readonly faults = new FaultWatch();
  lastProbe: ProbeResult | null = null;

  constructor(id: string) {
    this.id = id;
  }

  /** The time since which the provider has refused the key. A wrong clock counts as another fault. */
  get keyRefusedSince(): number | null {
    return this.faults.fault?.cause === 'key_refused' ? this.faults.refusedSince : null;
  }
}
