import type { Steps } from '../../base/lib/in-slices.ts';
import { namesOf } from '../../base/lib/names.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { buildCatalog, type CatalogSurroundings } from '../catalog/build-catalog.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogSource, ReportProblem } from '../catalog/catalog-source.ts';
import { pricingOf } from '../catalog/model-of-row.ts';
import { withBrand } from '../catalog/with-brand.ts';
import { trustedProxies } from '../config/client-network.ts';
import type { Config } from '../config/config-schema.ts';
import { buildProviders } from '../hosts/build-providers.ts';
import type { ProviderSurroundings } from '../hosts/provider-surroundings.ts';
import { type FoundServers, offersModels } from '../local-servers/found-servers.ts';
import { localCatalog } from '../local-servers/local-catalog.ts';
import { buildPlans } from '../plans/build-plans.ts';
import { NO_STORED_ROWS, type StoredRows } from '../stored/stored-rows.ts';
import type { FileContents } from './file-contents.ts';
import type { Snapshot } from './snapshot.ts';
import { sourcedRows } from './sourced-rows.ts';
import { type ReportStored, storedSource } from './stored-source.ts';

/** The facts that decide about a snapshot apart from the files. */
export type SnapshotSurroundings = Omit<ProviderSurroundings, 'found' | 'stored'> & {
  generation: number;
  supportedWires: ReadonlySet<Wire>;
  /** The local servers that were found. */
  found?: FoundServers;
  stored?: StoredRows;
  /** Reports problems of stored models, which do not prevent a snapshot. */
  reportStored?: ReportStored;
};

/** Builds a snapshot in steps. Returns undefined if a problem was reported. */
export function* snapshotSteps(
  { config, defaultCatalog, managedSettings }: Omit<FileContents, 'warnings'>,
  surroundings: SnapshotSurroundings,
  { inDefaults, inConfig }: { inDefaults: ReportProblem; inConfig: ReportProblem },
): Steps<Snapshot | undefined> {
  const names = namesOf(config.brand);
  const plans = buildPlans(config.plans);
  const found = surroundings.found ?? new Map();
  const hasServedLocally = surroundings.hasServedLocally || offersModels(found);
  const stored = surroundings.stored ?? NO_STORED_ROWS;
  const providers = buildProviders(config, {
    ...surroundings,
    found: new Set(found.keys()),
    hasServedLocally,
    stored: stored.providers,
  });
  const sources: CatalogSource[] = [];
  if (defaultCatalog)
    sources.push({ file: withBrand(defaultCatalog, names), isDefault: true, report: inDefaults });
  sources.push({
    file: config.catalog,
    isDefault: false,
    report: inConfig,
    prices: config.catalog.prices,
  });
  if (stored.models.length > 0)
    sources.push(storedSource(stored.models, sources, surroundings.reportStored ?? (() => {})));
  const { supportedWires } = surroundings;
  const catalogSurroundings = { names, providers, supportedWires, unlistedPricing: unlistedPricing(config) };
  const own = yield* buildCatalog(sources, catalogSurroundings);
  if (!own) return undefined;
  const catalog =
    found.size === 0
      ? own
      : yield* withFoundModels(own, { found, sources, surroundings: catalogSurroundings });
  return {
    generation: surroundings.generation,
    config,
    names,
    plans,
    providers,
    catalog,
    trustedProxies: trustedProxies(config.server.trusted_proxies),
    managedSettings,
    rows: onFirstUse(() => sourcedRows(sources, stored.models)),
  };
}

/** Most snapshots are never asked for their rows. */
function onFirstUse<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** The configuration is refused if unknown models pass without a price. */
const unlistedPricing = ({ catalog }: Config): CatalogSurroundings['unlistedPricing'] =>
  catalog.unknown_models === 'pass' && catalog.default_pricing_usd_per_mtok
    ? pricingOf(catalog.default_pricing_usd_per_mtok)
    : null;

type Extension = {
  found: FoundServers;
  sources: readonly CatalogSource[];
  surroundings: CatalogSurroundings;
};

/** Adds the models of local servers under names that are not in use. */
function* withFoundModels(own: Catalog, { found, sources, surroundings }: Extension): Steps<Catalog> {
  const { names } = surroundings;
  const routedModels = new Set<string>();
  for (const { model } of own.entries) {
    for (const route of model.routes) routedModels.add(`${route.provider} ${route.model}`);
    yield;
  }
  const hiddenNames = new Set(own.hidden.flatMap(({ model, aliases }) => [model.id, ...aliases]));
  const file = localCatalog(found, {
    names,
    isTaken: (spelling) => own.resolve(spelling) !== undefined || hiddenNames.has(spelling),
    isRouted: (provider, upstreamModel) => routedModels.has(`${provider} ${upstreamModel}`),
  });
  const local: CatalogSource = { file, isDefault: false, report: () => {} };
  return (yield* buildCatalog([...sources, local], surroundings)) ?? own;
}
