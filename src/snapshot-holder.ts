import { buildSnapshot, type ConfiguredFile, type SnapshotSurroundings } from './build-snapshot.ts';
import { applyOverrides, type CommandLineOverrides } from './config/apply-overrides.ts';
import { type ConfigProblem, formatProblem } from './config/config-problem.ts';
import type { Config } from './config/config-schema.ts';
import { loadConfig } from './config/load-config.ts';
import type { FoundServers } from './local-servers/found-servers.ts';
import { unsupportedSettings } from './server/unsupported.ts';
import type { Snapshot } from './snapshot.ts';

export type ConfigOrigin = {
  file: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  overrides: CommandLineOverrides;
};

export type Surroundings = Omit<
  SnapshotSurroundings,
  'generation' | 'environment' | 'simulator' | 'found'
> & {
  /** Starts the built-in simulator when a configuration asks for it for the first time. */
  simulatorFor: (config: Config) => SnapshotSurroundings['simulator'];
};

type Problems = { problems: ConfigProblem[] };
type Derivation = Surroundings & Pick<SnapshotSurroundings, 'generation' | 'environment' | 'found'>;

/** What a snapshot was made from, for making it again. */
export type Made = { snapshot: Snapshot; configured: ConfiguredFile };

/** Reads the configuration from where it comes from and derives everything from it. */
export async function readSnapshot(
  origin: ConfigOrigin,
  around: Omit<Derivation, 'environment'>,
): Promise<Made | Problems> {
  const loaded = await loadConfig(origin);
  if ('problems' in loaded) return loaded;
  const config = applyOverrides(loaded.config, origin.overrides);
  const unsupported = unsupportedSettings(config, origin.file);
  if (unsupported.length > 0) return { problems: unsupported };
  const configured = { config, locate: loaded.locate, file: origin.file };
  const snapshot = await derive(configured, { ...around, environment: origin.environment });
  return 'problems' in snapshot ? snapshot : { snapshot, configured };
}

const derive = (configured: ConfiguredFile, { simulatorFor, ...around }: Derivation) =>
  buildSnapshot(configured, { ...around, simulator: simulatorFor(configured.config) });

type RecordReload = (next: Snapshot, current: Snapshot) => Promise<void>;

/** The snapshot that new requests start with. A reload swaps it in one step; a wrong configuration leaves it as it is. */
export class SnapshotHolder {
  readonly #origin: ConfigOrigin;
  readonly #around: Surroundings;
  #made: Made;
  #found: FoundServers = new Map();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(origin: ConfigOrigin, around: Surroundings, first: Made) {
    this.#origin = origin;
    this.#around = around;
    this.#made = first;
  }

  get current(): Snapshot {
    return this.#made.snapshot;
  }

  /** One at a time, in the order asked for. `record` runs before the swap, and when it throws there is none. */
  reload(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    return this.#inTurn(() => this.#readAgain(record));
  }

  /** From now on with these local servers. The configuration is not read again for it. */
  take(found: FoundServers): Promise<void> {
    return this.#inTurn(async () => {
      const { configured, snapshot } = this.#made;
      const { environment } = this.#origin;
      const { generation } = snapshot;
      const next = await derive(configured, { ...this.#around, environment, generation, found });
      if ('problems' in next) return;
      this.#found = found;
      this.#made = { configured, snapshot: next };
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#changing.then(change);
    this.#changing = next.catch(() => {});
    return next;
  }

  async #readAgain(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    const read = await readSnapshot(this.#origin, {
      ...this.#around,
      found: this.#found,
      generation: this.current.generation + 1,
    });
    if ('problems' in read) return { problems: read.problems.map(formatProblem) };
    await record(read.snapshot, this.current);
    this.#made = read;
    return read.snapshot;
  }
}
