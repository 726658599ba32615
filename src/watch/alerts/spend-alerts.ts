import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import { creditsOf, usdOf } from '../../money/ledger/microcredits.ts';
import { monthOf } from '../../money/ledger/month-of.ts';
import type { Spending, SpendWatch } from '../../money/ledger/spend-watch.ts';
import type { AlertNews } from './alert.ts';
import type { AlertService } from './alert-service.ts';
import { dollars, labelOf } from './alert-words.ts';
import { watchBudget } from './watch-budget.ts';

const WARNED_FROM = 0.8;
/**
 * A cap counts as reached if it refuses a request and this share is spent.
 * The rest seldom fits another request.
 */
const REACHED_FROM = 0.95;
/** Occasions are remembered a little longer than their period, for requests that end late. */
const LATE_MS = 7 * DAY_MS;
/** Purchased credit has no cycle. */
const PURCHASE_REMEMBERED_MS = 400 * DAY_MS;

export type SpendAlertParts = {
  service: Pick<AlertService, 'raise' | 'hasRaised'>;
  /** Returns the share of the credits at which they are low. */
  lowShare(): number;
  /** The balance of purchased credit after the latest purchase, by account. */
  marks: Map<string, number>;
  saveMark(accountId: string, microcredits: number): void;
  /** The shares of credits at which an organization itself is notified. */
  ownShares?(accountId: string): readonly number[];
  nameOfAccount(id: string): Promise<string | null>;
  nameOfKey(id: string): Promise<string | null>;
};

/** Watches the caps of keys and the credits of accounts. */
export class SpendAlerts implements SpendWatch {
  readonly #parts: SpendAlertParts;

  constructor(parts: SpendAlertParts) {
    this.#parts = parts;
  }

  spent(spending: Spending): void {
    const { order, keyMicrocredits: spent } = spending;
    const cap = order.keyCapMicrocredits;
    if (cap && spent !== null && spent >= cap * WARNED_FROM) this.#watchCap(spending, { cap, spent });
    for (const state of spending.budgets ?? []) watchBudget(this.#parts, spending, state);
    if (order.pays === 'monthly') this.#watchCycle(spending);
    else this.#watchPurchased(spending);
  }

  /** Looks at the shortfalls of accounts. It is set while the server runs. */
  onShortfall: (() => void) | undefined;

  shortfall(): void {
    this.onShortfall?.();
  }

  purchased(accountId: string, microcredits: number): void {
    this.#parts.marks.set(accountId, microcredits);
    this.#parts.saveMark(accountId, microcredits);
  }

  #watchCap({ order, refused }: Spending, { cap, spent }: { cap: number; spent: number }): void {
    const isReached = spent >= cap || (refused === 'key-cap-reached' && spent >= cap * REACHED_FROM);
    const { startsAt, endsAt } = calendarMonth(order.at);
    for (const share of isReached ? [80, 100] : [80]) {
      // A new cap is a new threshold.
      const name = `cap_${share} ${order.keyId} ${startsAt} ${cap}`;
      if (this.#parts.service.hasRaised(name)) continue;
      const about = { share, spent, cap, month: monthOf(startsAt) };
      this.#parts.service.raise({ name, until: endsAt + LATE_MS }, () => this.#capNews(order, about));
    }
  }

  async #capNews(
    { accountId, keyId }: Spending['order'],
    { share, spent, cap, month }: { share: number; spent: number; cap: number; month: string },
  ): Promise<AlertNews> {
    const { nameOfAccount, nameOfKey } = this.#parts;
    const [accountName, keyName] = await Promise.all([nameOfAccount(accountId), nameOfKey(keyId)]);
    const key = `The API key ${labelOf(keyId, keyName)} of account ${labelOf(accountId, accountName)}`;
    const amounts = `${dollars(spent)} of ${dollars(cap)} for ${month}`;
    return {
      event: share === 80 ? 'cap_80' : 'cap_100',
      message:
        share === 80
          ? `${key} has spent 80 % or more of its monthly cap: ${amounts}.`
          : `${key} has reached its monthly cap: ${amounts}. The gateway refuses its requests until the month ends or the cap rises.`,
      data: {
        account_id: accountId,
        account_name: accountName,
        key_id: keyId,
        key_name: keyName,
        month,
        spent_usd: usdOf(spent),
        cap_usd: usdOf(cap),
      },
      organization: accountId,
    };
  }

  #watchCycle({ order, usedMicrocredits: used, grantedMicrocredits: granted }: Spending): void {
    const { id, endsAt, limitMicrocredits: limit } = order.period;
    if (limit === null) return;
    const until = endsAt === null ? null : endsAt + LATE_MS;
    this.#watchCredits(order, { used, total: limit + granted, endsAt, period: id, until });
  }

  #watchPurchased({ order, usedMicrocredits: used, grantedMicrocredits: granted }: Spending): void {
    const total = this.#parts.marks.get(order.accountId) ?? granted;
    const until = order.at + PURCHASE_REMEMBERED_MS;
    // Each purchase begins a new occasion.
    const period = `purchased ${granted}`;
    this.#watchCredits(order, { used: total - (granted - used), total, endsAt: null, period, until });
  }

  #watchCredits(order: Spending['order'], { period, until, ...state }: WatchedCredits): void {
    const { service, lowShare, ownShares } = this.#parts;
    const left = state.total - state.used;
    if (state.total <= 0) return;
    if (left <= state.total * lowShare()) {
      const name = `credits_low ${order.accountId} ${period}`;
      if (!service.hasRaised(name)) service.raise({ name, until }, () => this.#creditNews(order, state));
    }
    for (const share of ownShares?.(order.accountId) ?? []) {
      const name = `credits_low own ${share} ${order.accountId} ${period}`;
      if (left > state.total * share || service.hasRaised(name)) continue;
      const recipient = { organization: order.accountId, isPrivate: true };
      service.raise({ name, until }, async () => ({
        ...(await this.#creditNews(order, state)),
        ...recipient,
      }));
    }
  }

  async #creditNews(
    { accountId, pays }: Spending['order'],
    { used, total, endsAt }: { used: number; total: number; endsAt: number | null },
  ): Promise<AlertNews> {
    const accountName = await this.#parts.nameOfAccount(accountId);
    const left = Math.max(0, total - used);
    const kind = pays === 'monthly' ? 'credits' : 'purchased credits';
    return {
      event: 'credits_low',
      message: `The ${kind} of account ${labelOf(accountId, accountName)} are low: ${credits(left)} of ${credits(total)} are left.`,
      data: {
        account_id: accountId,
        account_name: accountName,
        balance: pays,
        credits_left: creditsOf(left),
        credits_given: creditsOf(total),
        left_share: Math.round((left / total) * 10_000) / 10_000,
        cycle_ends_at: isoTimeOrNull(endsAt),
      },
    };
  }
}

type WatchedCredits = {
  used: number;
  total: number;
  endsAt: number | null;
  period: string;
  until: number | null;
};

const credits = (microcredits: number): string => String(Math.round(creditsOf(microcredits) * 1_000) / 1_000);
