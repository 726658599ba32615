import { atOnce, type Steps } from '../../base/lib/in-slices.ts';
import { namesOf } from '../../base/lib/names.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { type CatalogSurroundings, catalogSteps } from '../catalog/build-catalog.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogProblem, CatalogSource } from '../catalog/catalog-source.ts';
import { pricingOf } from '../catalog/model-of-row.ts';
import { DEFAULT_CATALOG, readDefaultCatalog } from '../catalog/read-default-catalog.ts';
import { withBrand } from '../catalog/with-brand.ts';
import { trustedProxies } from '../config/client-network.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';
import { findWarnings } from '../config/find-warnings.ts';
import { loadCatalogFile } from '../config/load-catalog-file.ts';
import type { Locate } from '../config/read-document.ts';
import { readManagedSettings } from '../config/read-managed-settings.ts';
import { unsupportedSettings } from '../config/unsupported-settings.ts';
import { buildProviders } from '../hosts/build-providers.ts';
import type { ProviderSurroundings } from '../hosts/provider-surroundings.ts';
import { type FoundServers, offersModels } from '../local-servers/found-servers.ts';
import { localCatalog } from '../local-servers/local-catalog.ts';
import { buildPlans } from '../plans/build-plans.ts';
import { NO_STORED_ROWS, type StoredRows } from '../stored/stored-rows.ts';
import type { FileContents } from './file-contents.ts';
import type { Snapshot } from './snapshot.ts';
import { type ReportStored, rowsOfSources, storedSource } from './stored-catalog.ts';

export type ConfiguredFile = {
  config: Config;
  locate: Locate;
  file: string | null;
  /** Warnings that were found while the file was read. */
  ignored?: readonly SchemaProblem[];
};

export type SnapshotSurroundings = Omit<ProviderSurroundings, 'found' | 'stored'> & {
  generation: number;
  spoken: ReadonlySet<Wire>;
  /** The local servers that were found. */
  found?: FoundServers;
  stored?: StoredRows;
  /** Reports problems of stored models, which do not prevent a snapshot. */
  reportStored?: ReportStored;
};

/** Builds the snapshot of a configuration, or returns all problems with line and column. */
export async function buildSnapshot(
  { config, locate, file, ignored = [] }: ConfiguredFile,
  around: SnapshotSurroundings,
): Promise<{ snapshot: Snapshot; contents: FileContents } | { problems: ConfigProblem[] }> {
  const unsupported = unsupportedSettings(config).map(inFile(file, locate));
  if (unsupported.length > 0) return { problems: unsupported };
  const warnings = [...ignored, ...findWarnings(config)].map(inFile(file, locate));
  const managedSettings = await readManagedSettings(config.claude_code.managed_settings);
  if ('problems' in managedSettings) return { problems: managedSettings.problems.map(inFile(file, locate)) };
  const defaultCatalog = config.catalog.default ? readDefaultCatalog() : null;
  const contents = { config, defaultCatalog, managedSettings, warnings };
  const inDefaults: CatalogProblem[] = [];
  const problems: ConfigProblem[] = [];
  const snapshot = atOnce(
    snapshotSteps(contents, around, {
      inDefaults: (problem) => inDefaults.push(problem),
      inConfig: reportIn({ file, locate, within: ['catalog'] }, problems),
    }),
  );
  if (snapshot) {
    const lost = lostConditions(contents, snapshot.catalog).map(inFile(file, locate));
    return { snapshot, contents: { ...contents, warnings: [...warnings, ...lost] } };
  }
  return { problems: [...(await locatedInDefaults(inDefaults)), ...problems] };
}

/** Finds prices that replace a row of the default catalog and leave its conditions out. */
function lostConditions(
  { config, defaultCatalog }: Pick<FileContents, 'config' | 'defaultCatalog'>,
  catalog: Catalog,
): SchemaProblem[] {
  const rowed = new Map(
    defaultCatalog?.models.map((row) => [row.id.split('/').at(-1), row.pricing_usd_per_mtok?.conditions]),
  );
  return Object.entries(config.catalog.prices).flatMap(([name, { conditions }]) => {
    const lost = rowed.get(catalog.find(name)?.model.id.split('/').at(-1)) ?? [];
    if (lost.length === 0 || conditions !== undefined) return [];
    const names = lost.map((row) => row.name).join(', ');
    const message = `replaces all prices of the model, so these rows of the default catalog are lost: ${names}`;
    return [{ path: ['catalog', 'prices', name], message }];
  });
}

/** Finds the places of problems in the default catalog. The file with the places is read only for this. */
async function locatedInDefaults(found: readonly CatalogProblem[]): Promise<ConfigProblem[]> {
  if (found.length === 0) return [];
  const loaded = await loadCatalogFile(DEFAULT_CATALOG);
  if ('problems' in loaded) return loaded.problems;
  const problems: ConfigProblem[] = [];
  for (const problem of found)
    reportIn({ file: DEFAULT_CATALOG, locate: loaded.locate, within: [] }, problems)(problem);
  return problems;
}

const inFile =
  (file: string | null, locate: Locate) =>
  ({ path, message }: SchemaProblem): ConfigProblem => ({
    file,
    ...(locate(path) ?? { line: null, column: null }),
    field: formatPath(path),
    message,
  });

type Report = CatalogSource['report'];

/** Builds a snapshot in steps. Returns undefined if a problem was reported. */
export function* snapshotSteps(
  { config, defaultCatalog, managedSettings }: Omit<FileContents, 'warnings'>,
  around: SnapshotSurroundings,
  { inDefaults, inConfig }: { inDefaults: Report; inConfig: Report },
): Steps<Snapshot | undefined> {
  const names = namesOf(config.brand);
  const plans = buildPlans(config.plans);
  const found = around.found ?? new Map();
  const hasServedLocally = around.hasServedLocally || offersModels(found);
  const stored = around.stored ?? NO_STORED_ROWS;
  const providers = buildProviders(config, {
    ...around,
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
    sources.push(storedSource(stored.models, sources, around.reportStored ?? (() => {})));
  const surroundings = { names, providers, spoken: around.spoken, passedAt: passedAt(config) };
  const own = yield* catalogSteps(sources, surroundings);
  if (!own) return undefined;
  const catalog = found.size === 0 ? own : yield* withFound(own, { found, sources, surroundings });
  return {
    generation: around.generation,
    config,
    names,
    plans,
    providers,
    catalog,
    trustedProxies: trustedProxies(config.server.trusted_proxies),
    managedSettings,
    rows: onFirstUse(() => rowsOfSources(sources, stored.models)),
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
const passedAt = ({ catalog }: Config): CatalogSurroundings['passedAt'] =>
  catalog.unknown_models === 'pass' && catalog.default_pricing_usd_per_mtok
    ? pricingOf(catalog.default_pricing_usd_per_mtok)
    : null;

type Findings = { found: FoundServers; sources: readonly CatalogSource[]; surroundings: CatalogSurroundings };

/** Adds the models of local servers under names that are not in use. */
function* withFound(own: Catalog, { found, sources, surroundings }: Findings): Steps<Catalog> {
  const { names } = surroundings;
  const routed = new Set<string>();
  for (const { model } of own.entries) {
    for (const route of model.routes) routed.add(`${route.provider} ${route.model}`);
    yield;
  }
  const hidden = new Set(own.hidden.flatMap(({ model, aliases }) => [model.id, ...aliases]));
  const file = localCatalog(found, {
    names,
    isTaken: (spelling) => own.resolve(spelling) !== undefined || hidden.has(spelling),
    isRouted: (provider, upstreamModel) => routed.has(`${provider} ${upstreamModel}`),
  });
  const local: CatalogSource = { file, isDefault: false, report: () => {} };
  return (yield* catalogSteps([...sources, local], surroundings)) ?? own;
}

type CatalogLocation = { file: string | null; locate: Locate | undefined; within: readonly string[] };

/** Reports a catalog problem with its place in the file. */
export const reportIn =
  ({ file, locate, within }: CatalogLocation, problems: ConfigProblem[]): Report =>
  ({ path: inCatalog, message }: CatalogProblem) => {
    const path = [...within, ...inCatalog];
    const place = locate?.(path) ?? { line: null, column: null };
    problems.push({ file, ...place, field: formatPath(path), message });
  };
