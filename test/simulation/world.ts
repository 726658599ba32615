import type { LedgerReader } from './check/ledger-reader.ts';
import type { VendorWatch } from './check/vendor-watch.ts';
import type { Clients } from './clients/clients.ts';
import type { DatabaseServer } from './database/database-server.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Template } from './gateway/make-template.ts';
import type { Simulation } from './kernel/simulation.ts';
import type { Vendor } from './vendors/vendor.ts';

/** Everything that takes part in a run. */
export type World = {
  readonly simulation: Simulation;
  /** One process on the embedded store, or several on a database. */
  readonly nodes: readonly Gateway[];
  readonly database: DatabaseServer | undefined;
  readonly reader: LedgerReader;
  readonly clients: Clients;
  readonly vendors: readonly Vendor[];
  readonly watch: VendorWatch;
  readonly template: Template;
  /** The disk or the database fails at times. The store then keeps no answers for repetitions. */
  hasStoreTrouble: boolean;
  readonly counts: Record<string, number>;
};
