import { keysOf } from '../../base/lib/records.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import { mergeLatencies } from './latency-buckets.ts';
import type { TrafficCut } from './traffic-cut.ts';
import { addCounts, noSums, type TrafficPlace } from './traffic-figures.ts';
import type { TrafficCell } from './traffic-fold.ts';
import { type TrafficStep, trafficSteps } from './traffic-step.ts';
import type { TrafficRow } from './traffic-store.ts';

/** The cuts of each step. A minute has few accounts, so its details suffice for questions about accounts. */
const cutsOf: Readonly<Record<TrafficStep, readonly TrafficCut[]>> = {
  minute: ['whole', 'details'],
  hour: ['whole', 'accounts', 'details'],
  day: ['whole', 'accounts', 'details'],
};
const steps = keysOf(cutsOf);

/**
 * The most rows that are remembered. Beyond that, they are forgotten, and later requests make rows with
 * another part.
 */
const MAX_REMEMBERED = 50_000;
/** The most rows that wait for a store which takes none. Further requests are not counted. */
const MAX_WAITING = 200_000;

/**
 * The rows of this process for the current minute, hour and day. Each has all that was counted since the
 * process first wrote it, so a write replaces its row and can be repeated.
 *
 * - `place`: what a row counts: account, key, provider, model, status, source and node.
 * - `cut`: the members of the place that a row has. `whole` leaves out the account and the key.
 * - `part`: distinguishes the rows of processes that count the same place. Each process has its own.
 */
export class TrafficRows {
  /** The number of requests that were not counted. */
  lost = 0;
  /** The part of new rows. */
  #part: number;
  #latestMinute = 0;
  #rows = new Map<string, TrafficRow>();
  #changed = new Set<TrafficRow>();

  /** No other process with the same id has had this `part`. */
  constructor(part: number) {
    this.#part = part;
  }

  get waiting(): number {
    return this.#changed.size;
  }

  add(cells: readonly TrafficCell[]): void {
    for (const cell of cells) {
      // After the clock was set back, rows of these minutes can be in the store already.
      if (cell.minute < this.#latestMinute - 1) this.#startOver();
      this.#latestMinute = Math.max(this.#latestMinute, cell.minute);
      if (this.#changed.size >= MAX_WAITING) this.lost += cell.counts.requests;
      else for (const step of steps) for (const cut of cutsOf[step]) this.#addTo(step, cut, cell);
    }
  }

  /** Returns up to `limit` rows to write. The caller gives rows that were not written back to `keep`. */
  take(limit: number): TrafficRow[] {
    const taken: TrafficRow[] = [];
    for (const row of this.#changed) {
      if (taken.length >= limit) break;
      taken.push(row);
      this.#changed.delete(row);
    }
    return taken;
  }

  keep(rows: readonly TrafficRow[]): void {
    for (const row of rows) this.#changed.add(row);
  }

  /** Forgets written rows of times that have passed. If there are too many rows, it forgets all. */
  forget(now: number): void {
    if (this.#rows.size > MAX_REMEMBERED) this.#startOver();
    for (const [name, row] of this.#rows)
      if (row.at < Math.floor(now / trafficSteps[row.step].ms) - 1 && !this.#changed.has(row))
        this.#rows.delete(name);
  }

  #startOver(): void {
    this.#part++;
    this.#latestMinute = 0;
    this.#rows.clear();
  }

  #addTo(step: TrafficStep, cut: TrafficCut, cell: TrafficCell): void {
    const at = Math.floor((cell.minute * MINUTE_MS) / trafficSteps[step].ms);
    const place = placeIn[cut](cell.place);
    const { provider, model, account, key, status, node, source } = place;
    const name = `${step} ${at} ${cut} ${account} ${key} ${status} ${source} ${node} ${provider} ${model}`;
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = { step, cut, at, place, part: this.#part, ...noSums() };
      this.#rows.set(name, row);
    }
    addCounts(row.counts, cell.counts);
    mergeLatencies(row.latency, cell.latency);
    mergeLatencies(row.firstToken, cell.firstToken);
    this.#changed.add(row);
  }
}

/** Returns the place of a row of a cut. Members that the cut leaves out are empty. */
const placeIn: Readonly<Record<TrafficCut, (place: TrafficPlace) => TrafficPlace>> = {
  whole: (place) => ({ ...place, account: '', key: '' }),
  accounts: ({ account, key, node }) => ({
    account,
    key,
    node,
    provider: '',
    model: '',
    status: '',
    source: '',
  }),
  details: (place) => place,
};
