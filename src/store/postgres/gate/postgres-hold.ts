import type { JobIdentity } from '../../../base/jobs/job.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { CounterRow } from '../budgets/budget-state-rows.ts';
import type { Admission, PostgresCount } from './postgres-count.ts';

/** A hold of this process. It is posted or voided once. */
export class PostgresHold implements Hold {
  readonly order: HoldOrder;
  readonly microcredits: number;
  readonly node: string;
  readonly count: PostgresCount;
  isOpen = true;
  /** The hold has a row in `open_hold`. */
  isKept: boolean;
  /** The batch item of the hold, once the item is at a provider. */
  away: JobIdentity | undefined;
  /** The checkpoint that is being written. */
  saving: Promise<unknown> | undefined;
  /** The pending or completed posting. */
  posted: Promise<void> | undefined;
  /** The posting was tried and may be in the spool, so it counts even if the node is closed meanwhile. */
  isSpooled = false;
  /** The rows of budgets that hold the amount. */
  budgets: readonly CounterRow[] | undefined;

  constructor(admission: Admission & { credit: HoldOrder }, count: PostgresCount) {
    this.order = admission.credit;
    this.microcredits = admission.microcredits;
    this.node = admission.node;
    this.isKept = admission.microcredits > 0;
    this.count = count;
  }

  /** Omits fields that are useless in another process. */
  toJSON(): Hold {
    return { order: this.order, microcredits: this.microcredits };
  }
}
