import { buildSnapshot, type SnapshotSurroundings } from './build-snapshot.ts';
import { applyOverrides, type CommandLineOverrides } from './config/apply-overrides.ts';
import { type ConfigProblem, formatProblem } from './config/config-problem.ts';
import type { Config } from './config/config-schema.ts';
import { loadConfig } from './config/load-config.ts';
import { unsupportedSettings } from './server/unsupported.ts';
import type { Snapshot } from './snapshot.ts';

export type ConfigOrigin = {
  file: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  overrides: CommandLineOverrides;
};

export type Surroundings = Omit<SnapshotSurroundings, 'generation' | 'environment' | 'simulator'> & {
  /** Starts the built-in simulator when a configuration asks for it for the first time. */
  simulatorFor: (config: Config) => SnapshotSurroundings['simulator'];
};

/** Reads the configuration from where it comes from and derives everything from it. */
export async function readSnapshot(
  origin: ConfigOrigin,
  around: Surroundings & { generation: number },
): Promise<Snapshot | { problems: ConfigProblem[] }> {
  const loaded = await loadConfig(origin);
  if ('problems' in loaded) return loaded;
  const config = applyOverrides(loaded.config, origin.overrides);
  const unsupported = unsupportedSettings(config, origin.file);
  if (unsupported.length > 0) return { problems: unsupported };
  const { generation, spoken } = around;
  return buildSnapshot(
    { config, locate: loaded.locate, file: origin.file },
    { generation, spoken, environment: origin.environment, simulator: around.simulatorFor(config) },
  );
}

type RecordReload = (next: Snapshot, current: Snapshot) => Promise<void>;

/** The snapshot that new requests start with. A reload swaps it in one step; a wrong configuration leaves it as it is. */
export class SnapshotHolder {
  readonly #origin: ConfigOrigin;
  readonly #around: Surroundings;
  #current: Snapshot;
  #reloading: Promise<unknown> = Promise.resolve();

  constructor(origin: ConfigOrigin, around: Surroundings, first: Snapshot) {
    this.#origin = origin;
    this.#around = around;
    this.#current = first;
  }

  get current(): Snapshot {
    return this.#current;
  }

  /** One at a time, in the order asked for. `record` runs before the swap, and when it throws there is none. */
  reload(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    const next = this.#reloading.then(() => this.#readAgain(record));
    this.#reloading = next.catch(() => {});
    return next;
  }

  async #readAgain(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    const read = await readSnapshot(this.#origin, {
      ...this.#around,
      generation: this.#current.generation + 1,
    });
    if ('problems' in read) return { problems: read.problems.map(formatProblem) };
    await record(read, this.#current);
    this.#current = read;
    return read;
  }
}
