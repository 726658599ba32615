import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import { loadCatalogFile } from '../../settings/config/load-catalog-file.ts';
import { loadConfig } from '../../settings/config/load-config.ts';
import { simulatorWanted } from '../../settings/hosts/build-providers.ts';
import { buildSnapshot, type ConfiguredFile } from '../../settings/snapshot/build-snapshot.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { Terminal } from './terminal.ts';

type Environment = Terminal['environment'];

/** Finds all problems that prevent a start with this file, including those of its catalog. Null: no file. */
export async function findConfigProblems(
  file: string | null,
  environment: Environment,
): Promise<ConfigProblem[]> {
  const loaded = await loadConfig({ file, environment });
  if ('problems' in loaded) return loaded.problems;
  return await findDerivedProblems({ ...loaded, file }, environment);
}

/** Finds the problems of a catalog file when it replaces the catalog of the configuration. */
export async function findCatalogFileProblems(
  file: string,
  environment: Environment,
  configFile: string | null,
): Promise<ConfigProblem[]> {
  const configured = await loadConfig({ file: configFile, environment });
  if ('problems' in configured) return configured.problems;
  const loaded = await loadCatalogFile(file, environment);
  if ('problems' in loaded) return loaded.problems;
  const { config } = configured;
  const replaced: ConfiguredFile = {
    config: { ...config, catalog: { ...config.catalog, ...loaded.catalog } },
    // A catalog file has no key `catalog`.
    locate: ([, ...path]) => loaded.locate(path),
    file,
  };
  const problems = await findDerivedProblems(replaced, environment);
  return problems.map((problem) => ({ ...problem, field: problem.field.replace(/^catalog\./, '') }));
}

async function findDerivedProblems(
  configured: ConfiguredFile,
  environment: Environment,
): Promise<ConfigProblem[]> {
  // The simulator is never called here. Its address only marks providers as simulated.
  const simulator = simulatorWanted(configured.config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;
  const spoken = new Set(wires);
  const built = await buildSnapshot(configured, { environment, simulator, spoken, generation: 0 });
  return 'problems' in built ? built.problems : [];
}
