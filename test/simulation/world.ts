import type { LedgerReader } from './check/ledger-reader.ts';
import type { VendorWatch } from './check/vendor-watch.ts';
import type { Clients } from './clients/clients.ts';
import type { DatabaseServer } from './database/database-server.ts';
import type { Faults } from './faults/faults.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Template } from './gateway/make-template.ts';
import type { Host } from './kernel/host.ts';
import type { Simulation } from './kernel/simulation.ts';
import type { Operators } from './operators/operators.ts';
import type { Squeeze } from './operators/squeeze.ts';
import type { Vendor } from './vendors/vendor.ts';

/** Everything that takes part in a run. */
export type World = {
  readonly simulation: Simulation;
  /** One process on the embedded store, or several on a database. */
  readonly nodes: readonly Gateway[];
  readonly database: DatabaseServer | undefined;
  readonly reader: LedgerReader;
  readonly clients: Clients;
  readonly operators: Operators;
  readonly squeeze: Squeeze;
  readonly vendors: readonly Vendor[];
  readonly watch: VendorWatch;
  readonly template: Template;
  /** Undefined before the load begins. */
  faults: Faults | undefined;
  /** True if the disk or the database fails at times. The store then keeps no answers for repetitions. */
  hasStoreTrouble: boolean;
  readonly counts: Record<string, number>;
};

/** A slow write of the store ends, and a recovery is noticed, within this time. */
const NOTICED_MS = 5_000;

/**
 * Reports whether the store of a process worked for a while between two times. A shared database is always in
 * doubt.
 */
export const hasStoreWorked = (
  { database }: World,
  host: Host | undefined,
  from: number,
  until: number,
): boolean => !database && (host?.disk?.longestWellMs(from, until) ?? 0) > NOTICED_MS;

/** Reports whether the store of a process worked all the time. */
export const wasStoreWell = (
  { database }: World,
  host: Host | undefined,
  from: number,
  until: number,
): boolean =>
  !database && (host?.disk?.longestWellMs(from - NOTICED_MS, until) ?? 0) >= until - from + NOTICED_MS;
