import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { creditsOf, microcreditsOfCredits } from '../../money/ledger/microcredits.ts';
import type { AlertService } from '../../watch/alerts/alert-service.ts';
import type { ShortfallStore } from './shortfall-store.ts';

/** The shortfalls of this time count together. */
const COUNTED_MS = 30 * DAY_MS;
/**
 * A look is due even without a shortfall in this process, since another process can have ended before its own
 * look.
 */
const LOOK_EVERY_MS = 600_000;
const AT_A_TIME = 1_000;
const ACTOR = 'gateway';

export type ShortfallParts = {
  store: ShortfallStore;
  accounts: Accounts;
  clock: Clock;
  /** Returns the maximum sum of an account's shortfalls, in credits. */
  maxCredits(): number;
  alerts: AlertService;
  report(level: 'warn', event: string, fields: Record<string, unknown>): void;
};

/**
 * Stops the hosted tools of accounts whose charges were too often below their cost. Only an operator ends the
 * stop.
 */
export class ShortfallWatch {
  readonly #parts: ShortfallParts;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #looksAgain = false;
  #isClosed = false;

  constructor(parts: ShortfallParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  /**
   * Runs once at a time. A call during a look leads to another one, since the look can have read before the
   * shortfall.
   */
  look(): void {
    if (this.#isClosed) return;
    this.#looksAgain = this.#looking !== undefined;
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#parts.report('warn', 'shortfalls-not-read', { error: String(error) }))
      .finally(() => {
        this.#looking = undefined;
        if (this.#looksAgain) this.look();
      });
  }

  /** Ends the stop, and forgets the shortfalls that led to it. */
  async clear(accountId: string, actor: string): Promise<Account | Refusal> {
    const { store, accounts } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    await store.clearShortfalls(accountId);
    return accounts.change(accountId, { hostedToolsStopped: false }, actor);
  }

  async #look(): Promise<void> {
    const { store, clock, maxCredits } = this.#parts;
    const since = clock.now() - COUNTED_MS;
    const above = microcreditsOfCredits(maxCredits());
    for (let after: string | undefined; ; ) {
      const page = await store.exceededShortfalls({ since, above, after, limit: AT_A_TIME });
      for (const exceeded of page) await this.#stop(exceeded);
      if (page.length < AT_A_TIME) break;
      after = page.at(-1)!.accountId;
    }
    await store.sweepShortfalls(since);
  }

  async #stop({ accountId, microcredits }: { accountId: string; microcredits: number }): Promise<void> {
    const { accounts, alerts, report, clock } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal || account.hostedToolsStopped) return;
    const stopped = await accounts.change(accountId, { hostedToolsStopped: true }, ACTOR);
    if (stopped instanceof Refusal) return; // the next look tries again
    const credits = creditsOf(microcredits);
    report('warn', 'hosted-tools-stopped', { account_id: accountId, shortfall_credits: credits });
    alerts.raise({ name: `shortfall_stop ${accountId} ${clock.now()}`, until: null }, () => ({
      event: 'shortfall_stop',
      message: `The hosted tools of account ${accountId} are stopped: within 30 days its credit did not cover ${credits} credits of its requests. \`tollgate account clear-shortfall ${accountId}\` clears the stop.`,
      data: { account_id: accountId, account_name: account.name, shortfall_credits: credits },
    }));
  }
}
