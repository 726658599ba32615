import type { VendorWatch } from './check/vendor-watch.ts';
import type { Clients } from './clients/clients.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Template } from './gateway/make-template.ts';
import type { Simulation } from './kernel/simulation.ts';
import type { Vendor } from './vendors/vendor.ts';

/** Everything that takes part in a run. */
export type World = {
  readonly simulation: Simulation;
  readonly gateway: Gateway;
  readonly clients: Clients;
  readonly vendors: readonly Vendor[];
  readonly watch: VendorWatch;
  readonly template: Template;
  readonly directory: string;
  /** The disk fails at times. The store then keeps no answers for repetitions. */
  hasDiskTrouble: boolean;
  readonly counts: Record<string, number>;
};
