import type { BlockList } from 'node:net';
import type { PreparedLists } from '../../api/models/prepared-lists.ts';
import type { Names } from '../../base/lib/names.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config-schema.ts';
import type { Providers } from '../hosts/providers.ts';
import type { Plans } from '../plans/plans.ts';

/** Everything that the configuration decides, with all indexes derived from it: built whole, swapped whole, never changed. */
export type Snapshot = {
  /** Rises with every reload. */
  readonly generation: number;
  readonly config: Config;
  readonly names: Names;
  readonly plans: Plans;
  readonly providers: Providers;
  readonly catalog: Catalog;
  readonly lists: PreparedLists;
  /** Proxies whose word on where a request came from is believed. */
  readonly trustedProxies: BlockList;
};
