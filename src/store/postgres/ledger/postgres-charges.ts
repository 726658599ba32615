import { Unavailable } from '../../../base/errors/unavailable.ts';
import type { Entry } from '../../../money/ledger/entry.ts';
import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import { entryPieces } from '../../../money/ledger/entry-pieces.ts';
import type { Hold, HoldOrder, Shortage } from '../../../money/ledger/hold.ts';
import type { KeyAt } from '../../../money/ledger/key-months.ts';
import type { LedgerCare } from '../../../money/ledger/ledger-care.ts';
import type {
  AccountBalances,
  GiveOptions,
  HoldCheckpoint,
  LedgerStore,
  PeriodBalances,
  Posting,
  RecoveredHolds,
} from '../../../money/ledger/ledger-store.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import { type Period, PURCHASED } from '../../../money/ledger/period.ts';
import { purchasedBalance } from '../../../money/ledger/purchased-balance.ts';
import { refuseUnreadable, UnreadableEntry } from '../../../money/ledger/refuse-unreadable.ts';
import { renewalEntry } from '../../../money/ledger/renewal-entry.ts';
import { ShortfallCount, type ShortfallSums } from '../../../money/ledger/shortfall.ts';
import type { SpendWatch } from '../../../money/ledger/spend-watch.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import { json, nullableJson } from '../../row-columns.ts';
import { stateOfRow } from '../budgets/budget-state-rows.ts';
import type { Database, SqlValue } from '../database.ts';
import { balanceName, keyMonthName, payingBalance } from '../gate/gate-names.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import type { PostgresGate } from '../gate/postgres-gate.ts';
import { PostgresHold } from '../gate/postgres-hold.ts';
import { withDeadline } from '../with-deadline.ts';
import { giveStatement } from './give-statement.ts';
import { postingText } from './posting-piece.ts';
import { retried } from './retried.ts';
import { saveCheckpoints } from './save-checkpoints.ts';
import { Settlements, type SettleVerdict } from './settlements.ts';

export type PostgresChargesParts = {
  database: Database;
  gate: PostgresGate;
  identity: NodeIdentity;
  /** The id that the previous process on this data directory had. Its holds end at the start. */
  previousNode?: string | undefined;
  /** The time after which a settlement goes to the spool. */
  settleTimeoutMs?: number;
  /** Stops serving an account with a charge that cannot be written. */
  quarantine?: (accountId: string, reason: string) => void;
  /** Returns the parameter of `insert_response` as JSON. */
  packResponse?: (response: StoredResponse) => string;
  /** Reports whether an entry is in a segment. */
  isArchived?: (entryId: string) => Promise<boolean>;
};

const SETTLE_TIMEOUT_MS = 2_000;
const CHECKPOINT_WAIT_MS = 1_000;

/** The answer of `give_entry()`, with the balance after it. */
type GiveAnswer = [status: 'given' | 'exists' | 'refused', granted: number, used: number];

type Reads = 'listEntries' | 'findEntry' | 'sumUsage';

/**
 * Holds, charges and grants in Postgres.
 * The gate decides holds, and `settle` writes charges, both for several requests at once.
 */
export class PostgresCharges implements Omit<LedgerStore, keyof LedgerCare | Reads> {
  readonly #parts: PostgresChargesParts;
  readonly #settlements: Settlements;
  readonly #shortfalls = new ShortfallCount();
  #spendWatch: SpendWatch | undefined;

  constructor(parts: PostgresChargesParts) {
    this.#parts = parts;
    const { database, identity, settleTimeoutMs: timeoutMs = SETTLE_TIMEOUT_MS } = parts;
    this.#settlements = new Settlements({
      database,
      identity,
      timeoutMs,
      releases: parts.gate.releases,
    });
    parts.gate.refused = (order, kind, budgets) =>
      this.#spendWatch?.spent({
        ...parts.gate.balances.spendingOf(order, kind),
        ...(budgets && { budgets }),
      });
  }

  async balances(accountId: string, period: Period): Promise<AccountBalances> {
    const rows = await this.#parts.database.all(
      'SELECT period, granted, used, held FROM bucket WHERE account_id = $1 AND period IN ($2, $3)',
      [accountId, period.id, PURCHASED],
    );
    const of = (name: string) => rows.find((row) => row.period === name);
    const monthly = of(period.id);
    const purchased = of(PURCHASED);
    return {
      usedMicrocredits: Number(monthly?.used ?? 0),
      grantedMicrocredits: Number(monthly?.granted ?? 0),
      ...purchasedBalance({
        granted: Number(purchased?.granted ?? 0),
        used: Number(purchased?.used ?? 0),
        held: Number(purchased?.held ?? 0),
      }),
    };
  }

  recentBalances(accountId: string, period: Period): PeriodBalances | Promise<PeriodBalances> {
    return this.#parts.gate.balances.balancesOf(accountId, period) ?? this.balances(accountId, period);
  }

  async tokensOn(accountId: string, at: number): Promise<number> {
    const row = await this.#parts.database.first('SELECT day, tokens FROM token_day WHERE account_id = $1', [
      accountId,
    ]);
    return Number(row?.day ?? 0) < dayOf(at) ? 0 : Number(row?.tokens ?? 0);
  }

  async keySpent(_accountId: string, { keyId, at }: KeyAt): Promise<number> {
    const values = [keyId, monthOf(at)];
    const row = await this.#parts.database.first(
      'SELECT used FROM key_month WHERE key_id = $1 AND month = $2',
      values,
    );
    return Number(row?.used ?? 0);
  }

  afford(order: HoldOrder): Promise<number | Shortage> {
    return this.#parts.gate.afford(order);
  }

  hold(order: HoldOrder): Promise<Hold | Shortage> {
    return this.#parts.gate.hold(order);
  }

  async void(hold: Hold): Promise<void> {
    if (!(hold instanceof PostgresHold && hold.isOpen)) return;
    hold.isOpen = false;
    hold.posted = undefined;
    this.#parts.gate.holds.delete(hold.order.requestId);
    await saved(hold);
    await hold.count.voided(hold.isKept ? hold.order : undefined);
  }

  post(posting: Posting): Promise<void> {
    const { hold } = posting;
    if (!(hold instanceof PostgresHold)) return this.#postUnheld(posting);
    if (hold.isOpen) hold.posted = this.#postHeld(hold, posting);
    return hold.posted ?? Promise.resolve();
  }

  async replay(postings: readonly Posting[]): Promise<void> {
    await Promise.all(postings.map((posting) => this.#postUnheld(posting)));
  }

  checkpoint(holds: readonly HoldCheckpoint[]): Promise<void> {
    return saveCheckpoints(this.#parts, holds);
  }

  async recoverHolds(): Promise<RecoveredHolds> {
    const { previousNode, database } = this.#parts;
    if (previousNode === undefined) return { billed: 0, voided: 0 };
    const row = await retried(() => database.first('SELECT close_node($1) AS answer', [previousNode]));
    return json<RecoveredHolds>(row, 'answer');
  }

  async reclaim(requestId: string): Promise<Posting | undefined> {
    const { identity, database, gate } = this.#parts;
    const node = identity.id();
    const row = await database.first('SELECT reclaim_hold($1, $2) AS checkpoint', [node, requestId]);
    const checkpoint = row && nullableJson<HoldCheckpoint>(row, 'checkpoint');
    if (!checkpoint) return undefined;
    const { posting, away } = checkpoint;
    const { order, microcredits } = posting.hold;
    const hold = gate.adopt(order, microcredits, node);
    hold.away = away;
    return { ...posting, hold };
  }

  async voidUnclaimed(batch: number): Promise<void> {
    // Like `void`, it never rejects.
    await retried(() => this.#parts.database.first('SELECT void_unclaimed($1)', [batch])).catch(() => {});
  }

  watchSpending(watch: SpendWatch): void {
    this.#spendWatch = watch;
  }

  onShortfall(observe: () => void): void {
    this.#shortfalls.onAdded = observe;
  }

  get shortfalls(): ShortfallSums {
    return this.#shortfalls.sums;
  }

  async give(entry: Entry, options: GiveOptions = {}): Promise<boolean> {
    const { accountId, period } = entry;
    if (await this.#parts.isArchived?.(entry.id)) return true;
    refuseUnreadable(entry, 1);
    const { text, values } = giveStatement(this.#parts.identity.id(), entry, options);
    const row = await this.#first(text, values);
    const [status, granted, used] = json<GiveAnswer>(row, 'answer');
    if (status === 'refused') return false;
    this.#parts.gate.balances.noteBalance(balanceName({ accountId, period }), { granted, used });
    if (status === 'given' && entry.kind === 'purchase')
      this.#spendWatch?.purchased(accountId, granted - used);
    return true;
  }

  async openPeriod(accountId: string, period: Period): Promise<void> {
    const renewal = renewalEntry(accountId, period);
    const [before, middle, end] = entryPieces(renewal);
    const behind = `${middle}${renewal.microcredits}${end}`;
    // biome-ignore format: a line for each group
    await this.#first('SELECT open_period($1, $2, $3, $4, $5, $6, $7, $8)', [
      this.#parts.identity.id(), renewal.id, accountId, renewal.at,
      period.id, period.endsAt !== null, before, behind,
    ]);
  }

  #first(text: string, values: readonly SqlValue[]) {
    return retried(() => this.#parts.database.first(text, values));
  }

  async #postHeld(hold: PostgresHold, posting: Posting): Promise<void> {
    hold.isOpen = false;
    try {
      await saved(hold);
      const text = this.#textOf(posting, { isKept: hold.isKept || hold.isSpooled });
      const { tokens } = posting.receipt;
      // The place is returned with the settlement, so that it is free when the client sees the end.
      const release = hold.count.endWithPosting(tokens.input + tokens.output);
      const node = hold.isSpooled ? undefined : hold.node;
      const { accountId } = hold.order;
      const [verdict] = await Promise.all([
        this.#settlements.post({ accountId, posting: text, node, release }),
        release?.done.promise,
      ]);
      this.#parts.gate.holds.delete(hold.order.requestId);
      this.#onWritten(posting, verdict);
    } catch (error) {
      hold.isOpen = true;
      if (error instanceof Unavailable) hold.isSpooled = true;
      throw error;
    }
  }

  /** Posts a charge whose hold ended with its process. */
  async #postUnheld(posting: Posting): Promise<void> {
    const { accountId, requestId } = posting.hold.order;
    if (await this.#parts.isArchived?.(usageEntryId(requestId))) return;
    let text: string;
    try {
      text = this.#textOf(posting, { isKept: true });
    } catch (error) {
      if (!(error instanceof UnreadableEntry) || !this.#parts.quarantine) throw error;
      const reason = `What its request ${requestId} used cannot be written: ${error.message}.`;
      return this.#parts.quarantine(accountId, reason);
    }
    this.#onWritten(posting, await this.#settlements.post({ accountId, posting: text, node: undefined }));
  }

  #textOf(posting: Posting, hold: { isKept: boolean }): string {
    return postingText(posting, hold, this.#parts.packResponse ?? JSON.stringify);
  }

  #onWritten(posting: Posting, verdict: SettleVerdict): void {
    const { hold, costMicrocredits } = posting;
    const { order } = hold;
    const [status, microcredits, , bound, granted, used, keyUsed, budgets] = verdict;
    const { balances } = this.#parts.gate;
    balances.noteBalance(payingBalance(order), { granted, used });
    balances.noteKeyMonth(keyMonthName(order), keyUsed);
    if (status !== 'posted' && status !== 'adjusted') return;
    posting.chargedMicrocredits = microcredits;
    if (bound) this.#shortfalls.add(bound, costMicrocredits - microcredits);
    const spending = balances.spendingOf(order, null);
    this.#spendWatch?.spent(budgets ? { ...spending, budgets: budgets.map(stateOfRow) } : spending);
  }
}

/**
 * Waits for a checkpoint that is being written, so that it does not arrive after the end of its hold.
 * A checkpoint that fails or is late writes nothing after it.
 */
const saved = ({ saving }: PostgresHold): Promise<unknown> | undefined =>
  saving && withDeadline(saving, CHECKPOINT_WAIT_MS).catch(() => {});
