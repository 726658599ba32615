import { fileURLToPath } from 'node:url';
import type { Wire } from './canonical/wire.ts';
import { buildCatalog, type CatalogProblem, type CatalogSource } from './catalog/build-catalog.ts';
import { withBrand } from './catalog/with-brand.ts';
import type { ConfigProblem } from './config/config-problem.ts';
import type { Config } from './config/config-schema.ts';
import { loadCatalogFile } from './config/load-catalog-file.ts';
import type { Locate } from './config/read-document.ts';
import { namesOf } from './lib/names.ts';
import { trustedProxies } from './limits/client-network.ts';
import { PreparedLists } from './models/prepared-lists.ts';
import { buildPlans } from './plans/build-plans.ts';
import { buildProviders, type ProviderSurroundings } from './providers/build-providers.ts';
import { formatPath } from './schema/format-path.ts';
import type { Snapshot } from './snapshot.ts';

export type ConfiguredFile = { config: Config; locate: Locate; file: string | null };

export type SnapshotSurroundings = ProviderSurroundings & { generation: number; spoken: ReadonlySet<Wire> };

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
  const providers = buildProviders(config, around);
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
  const catalog = buildCatalog(sources, { names, providers, spoken: around.spoken });
  if (!catalog) return { problems };
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

/** A catalog file by itself, for checking it before it is used. */
export async function checkCatalogFile(
  file: string,
  config: Config,
  around: SnapshotSurroundings,
): Promise<ConfigProblem[]> {
  const loaded = await loadCatalogFile(file, around.environment);
  if ('problems' in loaded) return loaded.problems;
  const problems: ConfigProblem[] = [];
  const report = ({ path, message }: CatalogProblem) =>
    problems.push({ file, ...placeOf(loaded.locate, path), field: formatPath(path), message });
  const providers = buildProviders(config, around);
  buildCatalog([{ file: loaded.catalog, isDefault: false, report }], {
    names: namesOf(config.brand),
    providers,
    spoken: around.spoken,
  });
  return problems;
}

const reportInConfig =
  ({ file, locate }: ConfiguredFile, problems: ConfigProblem[]) =>
  ({ path: inCatalog, message }: CatalogProblem) => {
    const path = ['catalog', ...inCatalog];
    problems.push({ file, ...placeOf(locate, path), field: formatPath(path), message });
  };

const placeOf = (locate: Locate, path: (string | number)[]) => locate(path) ?? { line: null, column: null };
