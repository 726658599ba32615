import type { HoldOrder, ShortageKind } from '../../../money/ledger/hold.ts';
import type { PeriodBalances } from '../../../money/ledger/ledger-store.ts';
import type { Period } from '../../../money/ledger/period.ts';
import type { Spending } from '../../../money/ledger/spend-watch.ts';
import { balanceName, keyMonthName, payingBalance } from './gate-names.ts';

/** The credit that a balance was given, and the part that is used. */
export type MirroredBalance = { granted: number; used: number };

/** The bound of balances and of keys' months. Beyond it all are forgotten, and readers ask the database. */
const MAX_BALANCES = 20_000;
const NOTHING: MirroredBalance = { granted: 0, used: 0 };

/** The balances that the database reported last. Response headers and the `SpendWatch` read them. */
export class BalanceMirror {
  readonly #balances = new Map<string, MirroredBalance>();
  readonly #keyMonths = new Map<string, number>();

  noteBalance(name: string, balance: MirroredBalance): void {
    if (this.#balances.size > MAX_BALANCES) this.#balances.clear();
    this.#balances.set(name, balance);
  }

  noteKeyMonth(name: string, used: number): void {
    if (this.#keyMonths.size > MAX_BALANCES) this.#keyMonths.clear();
    this.#keyMonths.set(name, used);
  }

  /** Returns the balances of a period, or undefined if no answer has named them. */
  balancesOf(accountId: string, period: Period): PeriodBalances | undefined {
    const balance = this.#balances.get(balanceName({ accountId, period: period.id }));
    return balance && { usedMicrocredits: balance.used, grantedMicrocredits: balance.granted };
  }

  /** Describes a charge or a refusal for the `SpendWatch`. A balance that was forgotten counts as zero. */
  spendingOf(order: HoldOrder, refused: ShortageKind | null): Spending {
    const { used, granted } = this.#balances.get(payingBalance(order)) ?? NOTHING;
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
