import type { BlockList } from 'node:net';
import type { Names } from '../../base/lib/names.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config-schema.ts';
import type { ManagedSettings } from '../config/read-managed-settings.ts';
import type { Providers } from '../hosts/providers.ts';
import type { Plans } from '../plans/plan.ts';
import type { SourcedRow } from './sourced-rows.ts';

/** The snapshot in force. Each reload replaces it. */
export type SnapshotSource = { readonly current: Snapshot };

/**
 * Everything that a configuration decides, with all derived indexes. It is immutable, and is replaced as a
 * whole.
 */
export type Snapshot = {
  /** Increases with every reload. */
  readonly generation: number;
  readonly config: Config;
  readonly names: Names;
  readonly plans: Plans;
  readonly providers: Providers;
  readonly catalog: Catalog;
  /** Proxies whose `x-forwarded-for` header is trusted. */
  readonly trustedProxies: BlockList;
  /** The settings of Claude Code by group. The first row that fits counts. */
  readonly managedSettings: readonly ManagedSettings[];
  /** Returns the rows of the catalog by id, for operators. Models of local servers have no row. */
  readonly rows: () => ReadonlyMap<string, SourcedRow>;
};
