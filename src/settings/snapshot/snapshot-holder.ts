import { inSlices } from '../../base/lib/in-slices.ts';
import { type ConfigProblem, formatProblem } from '../config/config-problem.ts';
import type { FoundServers } from '../local-servers/found-servers.ts';
import { reportIn, type SnapshotSurroundings, snapshotSteps } from './build-snapshot.ts';
import type { FileContents } from './file-contents.ts';
import { readContents } from './read-contents.ts';
import type { ConfigOrigin, Made, Problems, ReadSnapshotSurroundings } from './read-snapshot.ts';
import type { Snapshot } from './snapshot.ts';

type RecordReload = (next: Snapshot, current: Snapshot) => Promise<void>;

/**
 * The snapshot that new requests start with. A reload swaps it in one step; a wrong configuration leaves it as it is. Files are read and
 * checked in a thread, and what follows from them is derived in slices: requests are served meanwhile.
 */
export class SnapshotHolder {
  readonly #origin: ConfigOrigin;
  readonly #around: ReadSnapshotSurroundings;
  #made: Made;
  #found: FoundServers = new Map();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(origin: ConfigOrigin, around: ReadSnapshotSurroundings, first: Made) {
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
      const { contents, snapshot } = this.#made;
      const next = await this.#derive(contents, { generation: snapshot.generation, found });
      if ('problems' in next) return;
      this.#found = found;
      this.#made = { contents, snapshot: next };
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#changing.then(change);
    this.#changing = next.catch(() => {});
    return next;
  }

  async #readAgain(record: RecordReload): Promise<Snapshot | { problems: string[] }> {
    const contents = await readContents({ origin: this.#origin, spoken: this.#around.spoken });
    if ('problems' in contents) return told(contents);
    const generation = this.current.generation + 1;
    const snapshot = await this.#derive(contents, { generation, found: this.#found });
    if ('problems' in snapshot) return told(snapshot);
    await record(snapshot, this.current);
    this.#made = { contents, snapshot };
    return snapshot;
  }

  async #derive(
    contents: FileContents,
    { generation, found }: Pick<SnapshotSurroundings, 'generation' | 'found'> & { found: FoundServers },
  ): Promise<Snapshot | Problems> {
    const { simulatorFor, ...around } = this.#around;
    const { environment, file } = this.#origin;
    const simulator = simulatorFor(contents.config);
    const problems: ConfigProblem[] = [];
    // Whoever read the files has checked them, and would have told where they are wrong.
    const report = reportIn({ file, locate: undefined, within: ['catalog'] }, problems);
    const steps = snapshotSteps(
      contents,
      { ...around, environment, simulator, generation, found },
      { inDefaults: report, inConfig: report },
    );
    return (await inSlices(steps)) ?? { problems };
  }
}

const told = ({ problems }: Problems) => ({ problems: problems.map(formatProblem) });
