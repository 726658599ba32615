import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { applyOverrides, type CommandLineOverrides } from '../config/apply-overrides.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CredentialFactory } from '../hosts/provider-credential.ts';
import { buildSnapshot } from './build-snapshot.ts';
import type { FileContents } from './file-contents.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotSurroundings } from './snapshot-steps.ts';

export type ConfigOrigin = {
  file: string | null;
  environment: Environment;
  overrides: CommandLineOverrides;
};

/** The facts that decide about each snapshot of a process, apart from the files and the environment. */
export type ReadSnapshotSurroundings = {
  /** The wires that the gateway supports. */
  supportedWires: SnapshotSurroundings['supportedWires'];
  /** Creates the credentials of providers in clouds. Without it, their calls fail. */
  credentialOf?: CredentialFactory;
  /** Starts the built-in simulator when a configuration first needs it. */
  simulatorFor: (config: Config) => SnapshotSurroundings['simulator'];
};

export type Problems = { problems: ConfigProblem[] };

/** A snapshot with the contents that it was built from, so that it can be rebuilt. */
export type LoadedSnapshot = { snapshot: Snapshot; contents: FileContents };

/** Reads the configuration and builds its snapshot. */
export async function readSnapshot(
  origin: ConfigOrigin,
  around: ReadSnapshotSurroundings & { generation: number },
): Promise<LoadedSnapshot | Problems> {
  try {
    return await readAndBuild(origin, around);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // A variable names a file that cannot be read.
    return { problems: [{ file: null, line: null, column: null, field: '', message: error.message }] };
  }
}

async function readAndBuild(
  { file, environment, overrides }: ConfigOrigin,
  { simulatorFor, ...around }: ReadSnapshotSurroundings & { generation: number },
): Promise<LoadedSnapshot | Problems> {
  const loaded = await loadConfig({ file, environment });
  if ('problems' in loaded) return loaded;
  const config = applyOverrides(loaded.config, overrides);
  const simulator = simulatorFor(config);
  return buildSnapshot({ ...loaded, config, file }, { ...around, environment, simulator });
}
