import { catalogue } from '../../base/errors/catalogue.ts';
import { DelayedWrite } from '../../base/lib/delayed-write.ts';
import { lookUp } from '../../base/lib/records.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { RefusalStore } from './refusal-store.ts';
import type { RefusalSum } from './refusal-sum.ts';

const FLUSH_MS = 1_500;
/**
 * The most sums that are remembered. Beyond that, they are forgotten, and later refusals make sums with
 * another part.
 */
const MAX_REMEMBERED = 20_000;

export type RefusalRecorderParts = {
  store: Pick<RefusalStore, 'saveRefusals'>;
  now(): number;
  onFailure(error: unknown): void;
};

type RefusedNotes = Pick<
  ExchangeNotes,
  'errorCode' | 'accountId' | 'refusalFacts' | 'refusalReason' | 'calls'
>;

/** Sums what the gateway refuses by hour, account and cause. Failures of providers are no refusals. */
export class RefusalRecorder {
  /** Returns the id of this process among the nodes. It is set before the first request. */
  nodeId: () => string = () => '';
  readonly #parts: RefusalRecorderParts;
  #part: number;
  #sums = new Map<string, RefusalSum>();
  #changed = new Set<RefusalSum>();
  readonly #writes = new DelayedWrite(() => this.#write(), FLUSH_MS);

  constructor(parts: RefusalRecorderParts) {
    this.#parts = parts;
    this.#part = parts.now();
  }

  /** Counts a refused request. A request that a provider was called for was not refused by the gateway. */
  add(notes: RefusedNotes): void {
    const { errorCode: code, accountId = '', refusalFacts, refusalReason, calls } = notes;
    if (code === undefined || calls?.length || !isRefusal(code)) return;
    const at = this.#parts.now();
    const hour = Math.floor(at / HOUR_MS);
    const cause = refusalFacts?.bound ?? refusalReason ?? code;
    const node = this.nodeId();
    const name = `${hour} ${accountId} ${code} ${cause} ${node}`;
    let sum = this.#sums.get(name);
    if (sum === undefined) {
      if (this.#sums.size >= MAX_REMEMBERED) this.#startOver();
      sum = { hour, accountId, code, cause, node, part: this.#part, count: 0, firstAt: at, lastAt: at };
      this.#sums.set(name, sum);
    }
    sum.count++;
    sum.lastAt = Math.max(sum.lastAt, at);
    this.#changed.add(sum);
    this.#writes.schedule();
  }

  /** Writes the sums that have grown. Sums that a store does not take are written with the next flush. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  async #write(): Promise<void> {
    const sums = [...this.#changed];
    if (sums.length === 0) return;
    this.#changed = new Set();
    try {
      await this.#parts.store.saveRefusals(sums);
    } catch (error) {
      for (const sum of sums) this.#changed.add(sum);
      this.#parts.onFailure(error);
      this.#writes.schedule();
    }
  }

  #startOver(): void {
    this.#part++;
    this.#sums.clear();
  }
}

/** Reports whether a code is a decision of the gateway's own: every code of 4xx, and a lack of capacity. */
function isRefusal(code: string): boolean {
  const status = lookUp(catalogue, code)?.status ?? 500;
  return status < 500 || code === 'capacity_unavailable';
}
