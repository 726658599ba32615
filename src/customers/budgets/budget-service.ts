import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { definedOf } from '../../base/lib/records.ts';
import type { Page } from '../../money/accounts/account-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { Budget, BudgetRule, Raise } from '../../money/budgets/budget.ts';
import type { BudgetPage, BudgetStore, TargetSpend } from '../../money/budgets/budget-store.ts';
import { firstBin } from '../../money/budgets/budget-window.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { capOfUsd, microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import type { Memberships } from '../people/memberships.ts';
import { budgetOfKey, changedMeanwhile, noBudget, refuseOwner, tooManyBudgets } from './budget-refusals.ts';
import { checkTarget } from './check-target.ts';
import { type CountedCap, KeyCaps, keyIdOfCap } from './key-caps.ts';

/** The most budgets of an account. Each request is compared with all budgets of its account. */
const MAX_BUDGETS = 200;
const MAX_ATTEMPTS = 5;

export type BudgetServiceParts = {
  store: BudgetStore;
  accounts: Pick<Accounts, 'find' | 'listKeys'>;
  memberships: Pick<Memberships, 'list'>;
  ledger: Pick<LedgerStore, 'keySpent'>;
  clock: Clock;
  /** The service calls it when an account may have got its first budget or lost its last one. */
  onChange(accountId: string): void;
};

/** The author of a change. An owner cannot change the budget of an operator. */
export type BudgetActor = { name: string; owner: Budget['owner'] };

export type WantedBudget = Pick<Budget, 'name' | 'scope' | 'target' | 'window' | 'kind' | 'warnShare'> & {
  limitUsd: number;
};
export type WantedChange = Partial<WantedBudget> & { revision?: number | undefined };
export type WantedRaise = { addUsd: number; endsAt: number; reason: string | null };

/** A budget with the spend that it counts now, which is the spend of its fullest target. */
export type CountedBudget = { budget: Budget; fullest: TargetSpend | undefined };

/** Makes and changes budgets, and lists them with the caps of keys. */
export class BudgetService {
  readonly caps: KeyCaps;
  readonly #parts: BudgetServiceParts;

  constructor(parts: BudgetServiceParts) {
    this.#parts = parts;
    this.caps = new KeyCaps(parts);
  }

  /** Returns the time at which windows and raises are evaluated. */
  now(): number {
    return this.#parts.clock.now();
  }

  /** Makes a budget, which counts from the start of its current window. */
  async create(accountId: string, wanted: WantedBudget, actor: BudgetActor): Promise<Budget | Refusal> {
    const { store, accounts, onChange } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    if (account.status === 'closed') return new Refusal('account_closed');
    const refusal = await checkTarget(this.#parts, accountId, wanted);
    if (refusal) return refusal;
    const now = this.now();
    const { limitUsd, ...fields } = wanted;
    const rule = { ...fields, accountId, ...newCounter(fields, now) };
    const budget: Budget = {
      ...rule,
      id: newId('bud_'),
      limitMicrocredits: capOfUsd(limitUsd),
      raise: null,
      owner: actor.owner,
      createdAt: now,
      revision: 1,
    };
    const audit = this.#audit(budget.id, 'budget-create', actor, { after: budget });
    if ((await store.createBudget(budget, audit, MAX_BUDGETS)) === 'full') return tooManyBudgets(MAX_BUDGETS);
    onChange(accountId);
    return budget;
  }

  async find(id: string): Promise<Budget | Refusal> {
    const keyId = keyIdOfCap(id);
    if (keyId !== undefined) return budgetOfKey(keyId);
    return (await this.#parts.store.findBudget(id)) ?? noBudget();
  }

  /** Lists budgets, then the caps of keys. */
  async list(request: BudgetPage): Promise<Page<CountedBudget | CountedCap>> {
    const { after, limit } = request;
    if (after !== undefined && keyIdOfCap(after) !== undefined) return this.caps.list(request);
    const page = await this.#parts.store.listBudgets(request);
    const budgets = await Promise.all(page.items.map((budget) => this.count(budget)));
    if (page.hasMore) return { items: budgets, hasMore: true };
    const caps = await this.caps.list({ ...request, after: undefined, limit: limit - budgets.length });
    return { items: [...budgets, ...caps.items], hasMore: caps.hasMore };
  }

  /** Returns a budget with the spend that it counts now. */
  async count(budget: Budget): Promise<CountedBudget> {
    const { items } = await this.#parts.store.listSpending(budget, { now: this.now(), limit: 1 });
    return { budget, fullest: items[0] };
  }

  listSpending(budget: Budget, page: { limit: number; after?: string | undefined }) {
    return this.#parts.store.listSpending(budget, { ...page, now: this.now() });
  }

  async change(id: string, wanted: WantedChange, actor: BudgetActor): Promise<Budget | Refusal> {
    const { revision, limitUsd, ...fields } = wanted;
    return this.#save(id, { action: 'budget-change', actor, revision }, async (budget) => {
      const after: Budget = {
        ...budget,
        ...definedOf(fields),
        ...(limitUsd !== undefined && { limitMicrocredits: capOfUsd(limitUsd) }),
      };
      if (!countsAnew(after, budget)) return after;
      const refusal = await checkTarget(this.#parts, budget.accountId, after);
      return refusal ?? { ...after, ...newCounter(after, this.now()) };
    });
  }

  async raise(id: string, wanted: WantedRaise, actor: BudgetActor): Promise<Budget | Refusal> {
    const { addUsd, endsAt, reason } = wanted;
    if (endsAt <= this.now())
      return new Refusal('invalid_request', { message: 'ends_at must be in the future.', param: 'ends_at' });
    const raise: Raise = { addMicrocredits: microcreditsOfUsd(addUsd), endsAt, reason, by: actor.name };
    return this.#save(id, { action: 'budget-raise', actor }, async (budget) => ({ ...budget, raise }));
  }

  async endRaise(id: string, actor: BudgetActor): Promise<Budget | Refusal> {
    return this.#save(id, { action: 'budget-raise-end', actor }, async (budget) =>
      budget.raise === null ? budget : { ...budget, raise: null },
    );
  }

  async remove(id: string, actor: BudgetActor): Promise<Budget | Refusal> {
    const { store, onChange } = this.#parts;
    const budget = await this.find(id);
    if (budget instanceof Refusal) return budget;
    const refusal = refuseOwner(budget, actor.owner);
    if (refusal) return refusal;
    const audit = this.#audit(id, 'budget-remove', actor, { before: budget });
    if (!(await store.removeBudget(budget, audit))) return noBudget();
    onChange(budget.accountId);
    return budget;
  }

  async #save(
    id: string,
    { action, actor, revision }: { action: AuditAction; actor: BudgetActor; revision?: number | undefined },
    change: (budget: Budget) => Promise<Budget | Refusal>,
  ): Promise<Budget | Refusal> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await this.find(id);
      if (before instanceof Refusal) return before;
      const refusal = refuseOwner(before, actor.owner);
      if (refusal) return refusal;
      if (revision !== undefined && revision !== before.revision) return changedMeanwhile(before);
      const after = await change(before);
      if (after instanceof Refusal || after === before) return after;
      const audit = this.#audit(id, action, actor, { before, after });
      if ((await this.#parts.store.saveBudget(after, audit)) === 'saved')
        return { ...after, revision: before.revision + 1 };
    }
    return new Refusal('conflict');
  }

  #audit(
    target: string,
    action: AuditAction,
    { name: actor }: BudgetActor,
    { before, after }: { before?: Budget; after?: Budget },
  ): AuditEntry {
    return {
      at: this.now(),
      actor,
      action,
      target,
      before: before ? audited(before) : null,
      after: after ? audited(after) : null,
    };
  }
}

/** Reports whether a change makes a budget count other spend. */
const countsAnew = (after: Budget, before: Budget): boolean =>
  (['scope', 'target', 'window', 'kind'] as const).some((field) => after[field] !== before[field]);

/** Makes a counter that begins with the current window. */
const newCounter = (windowed: Pick<BudgetRule, 'window' | 'kind'>, now: number) => ({
  counter: newId('cnt_'),
  countsFrom: firstBin(windowed, now),
});

/** Removes what is internal to the store. */
const audited = ({ counter: _, countsFrom: __, revision: ___, ...budget }: Budget) => budget;
