import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import { loadCatalogFile } from '../../settings/config/load-catalog-file.ts';
import { loadConfig } from '../../settings/config/load-config.ts';
import { simulatorWanted } from '../../settings/hosts/build-providers.ts';
import { buildSnapshot, type ConfiguredFile } from '../../settings/snapshot/build-snapshot.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { Terminal } from './terminal.ts';

type Environment = Terminal['environment'];

/** Everything that would keep a server from starting with this file, its catalog included. Null: no file. */
export async function findConfigProblems(
  file: string | null,
  environment: Environment,
): Promise<ConfigProblem[]> {
  const loaded = await loadConfig({ file, environment });
  if ('problems' in loaded) return loaded.problems;
  return await findDerivedProblems({ ...loaded, file }, environment);
}

/** What is wrong with a catalog in a file of its own, put in the place of the configuration's. */
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
    config: { ...config, catalog: { ...loaded.catalog, default: config.catalog.default } },
    // In a file of its own the catalog is not under `catalog`.
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
  // Nothing is called: it only has to be known that there would be a simulator.
  const simulator = simulatorWanted(configured.config) ? { url: 'http://127.0.0.1', apiKey: '' } : null;
  const spoken = new Set(wires);
  const built = await buildSnapshot(configured, { environment, simulator, spoken, generation: 0 });
  return 'problems' in built ? built.problems : [];
}
