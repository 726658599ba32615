import { fileURLToPath } from 'node:url';
import type { Wire } from './canonical/wire.ts';
import {
  buildCatalog,
  type CatalogProblem,
  type CatalogSource,
  type CatalogSurroundings,
} from './catalog/build-catalog.ts';
import type { Catalog } from './catalog/catalog.ts';
import { withBrand } from './catalog/with-brand.ts';
import type { ConfigProblem } from './config/config-problem.ts';
import type { Config } from './config/config-schema.ts';
import { loadCatalogFile } from './config/load-catalog-file.ts';
import type { Locate } from './config/read-document.ts';
import { namesOf } from './lib/names.ts';
import { trustedProxies } from './limits/client-network.ts';
import type { FoundServers } from './local-servers/found-servers.ts';
import { localCatalog } from './local-servers/local-catalog.ts';
import { PreparedLists } from './models/prepared-lists.ts';
import { buildPlans } from './plans/build-plans.ts';
import { buildProviders, type ProviderSurroundings } from './providers/build-providers.ts';
import { formatPath } from './schema/format-path.ts';
import type { Snapshot } from './snapshot.ts';

export type ConfiguredFile = { config: Config; locate: Locate; file: string | null };

export type SnapshotSurroundings = Omit<ProviderSurroundings, 'found'> & {
  generation: number;
  spoken: ReadonlySet<Wire>;
  /** Local servers that are there. */
  found?: FoundServers;
};

const DEFAULT_CATALOG = fileURLToPath(new URL('./catalog/default-catalog.yaml', import.meta.url));

/** Everything that follows from a configuration, or all that is wrong with it, with line and column. */
export async function buildSnapshot(
  configured: ConfiguredFile,
  around: SnapshotSurroundings,
): Promise<Snapshot | { problems: ConfigProblem[] }> {
  const { config } = configured;
  const problems: ConfigProblem[] = [];
  const names = namesOf(config.brand);
  const plans = buildPlans(config.plans);
  const found = around.found ?? new Map();
  const providers = buildProviders(config, { ...around, found: new Set(found.keys()) });
  const sources: CatalogSource[] = [];
  if (config.catalog.default) {
    const loaded = await loadCatalogFile(DEFAULT_CATALOG);
    if ('problems' in loaded) return loaded;
    sources.push({
      file: withBrand(loaded.catalog, names),
      isDefault: true,
      report: ({ path, message }) =>
        problems.push({
          file: DEFAULT_CATALOG,
          ...placeOf(loaded.locate, path),
          field: formatPath(path),
          message,
        }),
    });
  }
  sources.push({ file: config.catalog, isDefault: false, report: reportInConfig(configured, problems) });
  const surroundings = { names, providers, spoken: around.spoken };
  const own = buildCatalog(sources, surroundings);
  if (!own) return { problems };
  const catalog = found.size === 0 ? own : withFound(own, { found, sources, surroundings });
  const lists = new PreparedLists(catalog.entries);
  return {
    generation: around.generation,
    config,
    names,
    plans,
    providers,
    catalog,
    lists,
    trustedProxies: trustedProxies(config.server.trusted_proxies),
  };
}

type Findings = { found: FoundServers; sources: readonly CatalogSource[]; surroundings: CatalogSurroundings };

/** With the models of local servers beside, under names that nobody has. */
function withFound(own: Catalog, { found, sources, surroundings }: Findings): Catalog {
  const { names } = surroundings;
  const routed = new Set(
    own.entries.flatMap(({ model }) => model.routes.map((route) => `${route.provider} ${route.model}`)),
  );
  const file = localCatalog(found, {
    names,
    isTaken: (spelling) => own.resolve(spelling) !== undefined,
    isRouted: (provider, upstreamModel) => routed.has(`${provider} ${upstreamModel}`),
  });
  const local: CatalogSource = { file, isDefault: false, report: () => {} };
  return buildCatalog([...sources, local], surroundings) ?? own;
}

const reportInConfig =
  ({ file, locate }: ConfiguredFile, problems: ConfigProblem[]) =>
  ({ path: inCatalog, message }: CatalogProblem) => {
    const path = ['catalog', ...inCatalog];
    problems.push({ file, ...placeOf(locate, path), field: formatPath(path), message });
  };

const placeOf = (locate: Locate, path: (string | number)[]) => locate(path) ?? { line: null, column: null };
