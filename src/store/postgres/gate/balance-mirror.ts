import type { HoldOrder, ShortageKind } from '../../../money/ledger/hold.ts';
import type { PeriodBalances } from '../../../money/ledger/ledger-store.ts';
import type { Period } from '../../../money/ledger/period.ts';
import type { Spending } from '../../../money/ledger/spend-watch.ts';
import { balanceName, keyMonthName } from './gate-op.ts';

export type MirroredBalance = { granted: number; used: number };

const MAX_BALANCES = 20_000;
const NOTHING: MirroredBalance = { granted: 0, used: 0 };

/** The balances of the latest answers of the database, for headers and for the observer of spending. */
export class BalanceMirror {
  readonly #balances = new Map<string, MirroredBalance>();
  readonly #keyMonths = new Map<string, number>();

  note(name: string, balance: MirroredBalance): void {
    if (this.#balances.size > MAX_BALANCES) this.#balances.clear();
    this.#balances.set(name, balance);
  }

  noteKeyMonth(name: string, used: number): void {
    if (this.#keyMonths.size > MAX_BALANCES) this.#keyMonths.clear();
    this.#keyMonths.set(name, used);
  }

  /** Returns undefined if no answer has named the balance. */
  recent(accountId: string, period: Period): PeriodBalances | undefined {
    const monthly = this.#balances.get(`${accountId} ${period.id}`);
    return monthly && { usedMicrocredits: monthly.used, grantedMicrocredits: monthly.granted };
  }

  spendingOf(order: HoldOrder, refused: ShortageKind | null): Spending {
    const { used, granted } = this.#balances.get(balanceName(order)) ?? NOTHING;
    const isCapped = order.keyCapMicrocredits !== null;
    return {
      order,
      usedMicrocredits: used,
      grantedMicrocredits: granted,
      keyMicrocredits: isCapped ? (this.#keyMonths.get(keyMonthName(order)) ?? 0) : null,
      refused,
    };
  }
}
