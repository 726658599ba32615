import type { Catalog } from '../../settings/catalog/catalog.ts';
import type { CommandLineOverrides } from '../../settings/config/apply-overrides.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import { loadCatalogFile } from '../../settings/config/load-catalog-file.ts';
import { loadConfig } from '../../settings/config/load-config.ts';
import { placeholderSimulator } from '../../settings/hosts/simulator-provider.ts';
import { buildSnapshot, type ConfiguredFile } from '../../settings/snapshot/build-snapshot.ts';
import { type LoadedSnapshot, type Problems, readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { Terminal } from './terminal.ts';

type Environment = Terminal['environment'];

/** The problems prevent a start. The warnings name settings that are probably unintended. */
export type Checked = {
  problems: readonly ConfigProblem[];
  warnings: readonly ConfigProblem[];
  /** Undefined if the problems prevent a catalog. */
  catalog?: Catalog;
};

const around = { supportedWires: new Set(wires), generation: 0 };

const checkedOf = (outcome: LoadedSnapshot | Problems): Checked =>
  'problems' in outcome
    ? { problems: outcome.problems, warnings: [] }
    : { problems: [], warnings: outcome.contents.warnings, catalog: outcome.snapshot.catalog };

type Reading = { file: string | null; environment: Environment; overrides?: CommandLineOverrides };

/** Checks a configuration as a start reads it, including its catalog. `null` means that there is no file. */
export const checkConfiguration = async ({ file, environment, overrides = {} }: Reading): Promise<Checked> =>
  checkedOf(
    await readSnapshot({ file, environment, overrides }, { ...around, simulatorFor: placeholderSimulator }),
  );

/** Checks a catalog file as a start would if it replaced the catalog of the configuration. */
export async function checkCatalogFile(
  file: string,
  environment: Environment,
  configFile: string | null,
): Promise<Checked> {
  const start = await checkConfiguration({ file: configFile, environment });
  const configured = await loadConfig({ file: configFile, environment });
  if ('problems' in configured) return { problems: configured.problems, warnings: [] };
  // The configuration's own catalog is not used, so its problems do not count.
  const problems = start.problems.filter(({ field }) => !/^catalog\b/.test(field));
  if (problems.length > 0) return { problems, warnings: [] };
  const loaded = await loadCatalogFile(file, environment);
  if ('problems' in loaded) return { problems: loaded.problems, warnings: [] };
  const { config } = configured;
  const configuration: ConfiguredFile = {
    config: { ...config, catalog: { ...config.catalog, ...loaded.catalog } },
    // A catalog file has no key `catalog`.
    locate: ([, ...path]) => loaded.locate(path),
    file,
  };
  const simulator = placeholderSimulator(config);
  const checked = checkedOf(await buildSnapshot(configuration, { ...around, environment, simulator }));
  const inCatalog = (problem: ConfigProblem) => problem.field.startsWith('catalog.');
  const withoutPrefix = (problem: ConfigProblem) => ({
    ...problem,
    field: problem.field.replace(/^catalog\./, ''),
  });
  const warnings = checked.warnings.filter(inCatalog).map(withoutPrefix);
  return { ...checked, problems: checked.problems.map(withoutPrefix), warnings };
}
