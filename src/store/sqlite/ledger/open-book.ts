import { AccountBook } from '../../../money/ledger/account-book.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import type { RunningSums } from './running-sums.ts';

/** An account in use: its balances and the end of its chain. */
export class OpenBook {
  readonly sums: RunningSums;
  readonly accountId: string;
  readonly balances: AccountBook;
  /**
   * The end of the chain, where the next entry goes. Undefined after a failed write. It is then read from the
   * store again.
   */
  head: ChainHead | undefined;
  /** The number of open holds and pending writes. While it is above zero, the book must stay in memory. */
  uses = 0;
  /** Periods already recorded: a few, since an account is seldom in use for years. */
  readonly opened = new Set<string>();

  constructor(sums: RunningSums, accountId: string) {
    this.sums = sums;
    this.accountId = accountId;
    this.balances = new AccountBook({
      bucket: (period) => sums.bucket(accountId, period),
      spent: (keyId, month) => sums.spent(accountId, keyId, month),
      dayTokens: () => sums.dayTokens(accountId),
      budgets: () => sums.budgets.of(accountId),
      bins: (budget, target) => sums.bins(budget, target),
    });
  }
}
