import { atOnce } from '../../base/lib/in-slices.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogProblem } from '../catalog/catalog-source.ts';
import { DEFAULT_CATALOG, readDefaultCatalog } from '../catalog/read-default-catalog.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';
import { findWarnings } from '../config/find-warnings.ts';
import { loadCatalogFile } from '../config/load-catalog-file.ts';
import type { Locate } from '../config/read-document.ts';
import { readManagedSettings } from '../config/read-managed-settings.ts';
import { unsupportedSettings } from '../config/unsupported-settings.ts';
import { createProblemReporter } from './create-problem-reporter.ts';
import type { FileContents } from './file-contents.ts';
import type { Snapshot } from './snapshot.ts';
import { type SnapshotSurroundings, snapshotSteps } from './snapshot-steps.ts';

/** A configuration file that was read, with the places of its fields. */
export type ConfiguredFile = {
  config: Config;
  locate: Locate;
  file: string | null;
  /** Warnings that were found while the file was read. */
  ignored?: readonly SchemaProblem[];
};

/** Builds the snapshot of a configuration, or returns all problems with line and column. */
export async function buildSnapshot(
  { config, locate, file, ignored = [] }: ConfiguredFile,
  surroundings: SnapshotSurroundings,
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
    snapshotSteps(contents, surroundings, {
      inDefaults: (problem) => inDefaults.push(problem),
      inConfig: createProblemReporter({ file, locate, within: ['catalog'] }, problems),
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
  const conditionsByName = new Map(
    defaultCatalog?.models.map((row) => [nameOf(row.id), row.pricing_usd_per_mtok?.conditions]),
  );
  return Object.entries(config.catalog.prices).flatMap(([name, { conditions }]) => {
    const lost = conditionsByName.get(nameOf(catalog.find(name)?.model.id ?? '')) ?? [];
    if (lost.length === 0 || conditions !== undefined) return [];
    const names = lost.map((row) => row.name).join(', ');
    const message = `replaces all prices of the model, so these rows of the default catalog are lost: ${names}`;
    return [{ path: ['catalog', 'prices', name], message }];
  });
}

/** Returns the name of a model without the prefix of open-weight models, which depends on the brand. */
const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);

/** Finds the places of problems in the default catalog. The file with the places is read only for this. */
async function locatedInDefaults(found: readonly CatalogProblem[]): Promise<ConfigProblem[]> {
  if (found.length === 0) return [];
  const loaded = await loadCatalogFile(DEFAULT_CATALOG);
  if ('problems' in loaded) return loaded.problems;
  const problems: ConfigProblem[] = [];
  for (const problem of found)
    createProblemReporter({ file: DEFAULT_CATALOG, locate: loaded.locate, within: [] }, problems)(problem);
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
