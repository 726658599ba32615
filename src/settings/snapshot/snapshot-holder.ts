import { inSlices } from '../../base/lib/in-slices.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { CatalogProblem } from '../catalog/catalog-source.ts';
import { type ConfigProblem, formatProblem } from '../config/config-problem.ts';
import { type FoundServers, offersModels } from '../local-servers/found-servers.ts';
import { NO_STORED_ROWS, type StoredRows } from '../stored/stored-rows.ts';
import { createProblemReporter } from './create-problem-reporter.ts';
import type { FileContents } from './file-contents.ts';
import { readContents } from './read-contents.ts';
import type { ConfigOrigin, LoadedSnapshot, Problems, ReadSnapshotSurroundings } from './read-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { type SnapshotSurroundings, snapshotSteps } from './snapshot-steps.ts';
import type { AcceptStored, StoredProblem } from './stored-rows-taker.ts';

type RecordReload = (next: Snapshot, current: Snapshot) => Promise<void>;

/**
 * Holds the snapshot that new requests start with. A reload replaces it atomically. An invalid configuration
 * leaves it in place. Files are read and checked in a thread, and the indexes are built in slices, so that
 * requests are served meanwhile.
 */
export class SnapshotHolder {
  readonly #origin: ConfigOrigin;
  readonly #around: ReadSnapshotSurroundings;
  #loaded: LoadedSnapshot;
  #found: FoundServers = new Map();
  #hasServedLocally = false;
  #stored: StoredRows = NO_STORED_ROWS;
  readonly #changes = new OneByOne();

  constructor(origin: ConfigOrigin, around: ReadSnapshotSurroundings, first: LoadedSnapshot) {
    this.#origin = origin;
    this.#around = around;
    this.#loaded = first;
  }

  /** The warnings about the current configuration. */
  get warnings(): readonly ConfigProblem[] {
    return this.#loaded.contents.warnings;
  }

  get current(): Snapshot {
    return this.#loaded.snapshot;
  }

  /**
   * Runs one reload at a time, in order. `record` runs before the swap. If it throws, the swap does not
   * happen.
   */
  reload(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    return this.#changes.run(() => this.#readAgain(record));
  }

  /** Replaces the local servers without reading the configuration again. */
  take(found: FoundServers): Promise<void> {
    return this.#changes.run(async () => {
      const { contents, snapshot } = this.#loaded;
      const next = await this.#derive(contents, { generation: snapshot.generation, found });
      if ('problems' in next) return;
      this.#found = found;
      this.#hasServedLocally ||= offersModels(found);
      this.#loaded = { contents, snapshot: next };
    });
  }

  /**
   * Replaces the stored rows. `accept` runs before the swap. If it declines, the swap does not happen.
   * Returns the problems of rows of the configuration that the stored rows cause.
   */
  takeStored(stored: StoredRows, accept: AcceptStored = async () => true): Promise<Problems | undefined> {
    return this.#changes.run(async () => {
      const { contents, snapshot } = this.#loaded;
      const problems: StoredProblem[] = [];
      const reportStored = (id: string, problem: CatalogProblem) => problems.push({ ...problem, id });
      const generation = snapshot.generation + 1;
      const next = await this.#derive(contents, { generation, found: this.#found, stored, reportStored });
      if ('problems' in next) return next;
      if (!(await accept(next, problems))) return undefined;
      this.#stored = stored;
      this.#loaded = { contents, snapshot: next };
      return undefined;
    });
  }

  async #readAgain(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    const contents = await readContents({
      origin: this.#origin,
      supportedWires: this.#around.supportedWires,
    });
    if ('problems' in contents) return formatted(contents);
    const generation = this.current.generation + 1;
    const snapshot = await this.#derive(contents, { generation, found: this.#found });
    if ('problems' in snapshot) return formatted(snapshot);
    await record(snapshot, this.current);
    this.#loaded = { contents, snapshot };
    return snapshot;
  }

  /** Builds the snapshot of contents that are checked already. */
  async #derive(
    contents: FileContents,
    change: Pick<SnapshotSurroundings, 'generation' | 'stored' | 'reportStored'> & { found: FoundServers },
  ): Promise<Snapshot | Problems> {
    const { simulatorFor, ...constantParts } = this.#around;
    const { environment, file } = this.#origin;
    const problems: ConfigProblem[] = [];
    // The thread has already checked the files and reports problems with their places.
    const report = createProblemReporter({ file, locate: undefined, within: ['catalog'] }, problems);
    const surroundings: SnapshotSurroundings = {
      ...constantParts,
      environment,
      simulator: simulatorFor(contents.config),
      stored: this.#stored,
      hasServedLocally: this.#hasServedLocally,
      ...change,
    };
    const steps = snapshotSteps(contents, surroundings, { inDefaults: report, inConfig: report });
    return (await inSlices(steps)) ?? { problems };
  }
}

const formatted = ({ problems }: Problems) => ({ problems: problems.map(formatProblem) });
