import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { definedOf } from '../../base/lib/records.ts';
import type { Page } from '../../money/accounts/account-store.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { Budget, BudgetRule, Raise } from '../../money/budgets/budget.ts';
import type { BudgetPage, BudgetStore, TargetSpend } from '../../money/budgets/budget-store.ts';
import { firstBin } from '../../money/budgets/budget-window.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { capOfUsd, microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import { type BudgetActor, budgetAudit } from './budget-audit.ts';
import { budgetOfKey, changedMeanwhile, noBudget, refuseOwner, tooManyBudgets } from './budget-refusals.ts';
import { checkTarget, type TargetParts } from './check-target.ts';
import { type CountedCap, KeyCaps, keyIdOfCap } from './key-caps.ts';
import type { WantedBudget, WantedChange, WantedRaise } from './wanted-budget.ts';

/** The most budgets of an account. Each request is compared with all budgets of its account. */
const MAX_BUDGETS = 200;
/** A change is tried again if the budget was changed after it had been read. */
const MAX_ATTEMPTS = 5;

export type BudgetServiceParts = TargetParts & {
  store: BudgetStore;
  ledger: LedgerStore;
  clock: Clock;
  /** Called after an account may have gained its first budget or lost its last. */
  onChange(accountId: string): void;
};

/** A budget with the spend that it counts at a time, which is the spend of its fullest target. */
export type CountedBudget = { budget: Budget; fullest: TargetSpend | undefined; at: number };

/** Makes and changes budgets, and lists them with the caps of keys. */
export class BudgetService {
  readonly #caps: KeyCaps;
  readonly #parts: BudgetServiceParts;

  constructor(parts: BudgetServiceParts) {
    this.#parts = parts;
    this.#caps = new KeyCaps(parts);
  }

  /** Makes a budget, which counts from the start of its current window. */
  async create(accountId: string, wanted: WantedBudget, actor: BudgetActor): Promise<Budget | Refusal> {
    const { store, accounts, onChange } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    if (account.status === 'closed') return new Refusal('account_closed');
    const refusal = await checkTarget(this.#parts, accountId, wanted);
    if (refusal) return refusal;
    const now = this.#now();
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
    const audit = budgetAudit(budget.id, { action: 'budget-create', actor, after: budget, at: now });
    if ((await store.createBudget(budget, audit, MAX_BUDGETS)) === 'full') return tooManyBudgets(MAX_BUDGETS);
    onChange(accountId);
    return budget;
  }

  async find(id: string): Promise<Budget | Refusal> {
    const keyId = keyIdOfCap(id);
    if (keyId !== undefined) return budgetOfKey(keyId);
    return (await this.#parts.store.findBudget(id)) ?? noBudget();
  }

  /** Finds the cap of a key by the id that it has among the budgets. */
  findCap(id: string): Promise<CountedCap | undefined> {
    return this.#caps.find(id);
  }

  /** Lists budgets, then the caps of keys. */
  async list(request: BudgetPage): Promise<Page<CountedBudget | CountedCap>> {
    const { after, limit } = request;
    if (after !== undefined && keyIdOfCap(after) !== undefined) return this.#caps.list(request);
    const page = await this.#parts.store.listBudgets(request);
    const budgets = await Promise.all(page.items.map((budget) => this.count(budget)));
    if (page.hasMore) return { items: budgets, hasMore: true };
    const caps = await this.#caps.list({ ...request, after: undefined, limit: limit - budgets.length });
    return { items: [...budgets, ...caps.items], hasMore: caps.hasMore };
  }

  /** Returns a budget with the spend that it counts now. */
  async count(budget: Budget): Promise<CountedBudget> {
    const at = this.#now();
    const { items } = await this.#parts.store.listSpending(budget, { now: at, limit: 1 });
    return { budget, fullest: items[0], at };
  }

  /** Lists the spend that a budget counts now, by target. */
  async listSpending(budget: Budget, page: { limit: number; after?: string | undefined }) {
    const at = this.#now();
    return { ...(await this.#parts.store.listSpending(budget, { ...page, now: at })), at };
  }

  async change(id: string, wanted: WantedChange, actor: BudgetActor): Promise<Budget | Refusal> {
    const { revision, limitUsd, ...fields } = wanted;
    return this.#save(id, { action: 'budget-change', actor, revision }, async (budget) => {
      const after: Budget = {
        ...budget,
        ...definedOf(fields),
        ...(limitUsd !== undefined && { limitMicrocredits: capOfUsd(limitUsd) }),
      };
      if (!changesCounter(after, budget)) return after;
      const refusal = await checkTarget(this.#parts, budget.accountId, after);
      return refusal ?? { ...after, ...newCounter(after, this.#now()) };
    });
  }

  async raise(id: string, wanted: WantedRaise, actor: BudgetActor): Promise<Budget | Refusal> {
    const { addUsd, endsAt, reason } = wanted;
    if (endsAt <= this.#now())
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
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await this.#findFor(actor, id);
      if (before instanceof Refusal) return before;
      const audit = budgetAudit(id, { action: 'budget-remove', actor, before, at: this.#now() });
      if (!(await store.removeBudget(before, audit))) continue;
      onChange(before.accountId);
      return before;
    }
    return new Refusal('conflict');
  }

  async #save(
    id: string,
    { action, actor, revision }: { action: AuditAction; actor: BudgetActor; revision?: number | undefined },
    change: (budget: Budget) => Promise<Budget | Refusal>,
  ): Promise<Budget | Refusal> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await this.#findFor(actor, id);
      if (before instanceof Refusal) return before;
      if (revision !== undefined && revision !== before.revision) return changedMeanwhile(before);
      const after = await change(before);
      if (after instanceof Refusal || after === before) return after;
      const audit = budgetAudit(id, { action, actor, before, after, at: this.#now() });
      if ((await this.#parts.store.saveBudget(after, audit)) === 'saved')
        return { ...after, revision: before.revision + 1 };
    }
    return new Refusal('conflict');
  }

  /** Finds a budget that the actor can change. */
  async #findFor({ owner }: BudgetActor, id: string): Promise<Budget | Refusal> {
    const budget = await this.find(id);
    return budget instanceof Refusal ? budget : (refuseOwner(budget, owner) ?? budget);
  }

  #now(): number {
    return this.#parts.clock.now();
  }
}

/** Reports whether a change makes a budget count other spend. */
const changesCounter = (after: Budget, before: Budget): boolean =>
  (['scope', 'target', 'window', 'kind'] as const).some((field) => after[field] !== before[field]);

/** Makes a counter that begins with the current window. */
const newCounter = (windowed: Pick<BudgetRule, 'window' | 'kind'>, now: number) => ({
  counter: newId('cnt_'),
  countsFrom: firstBin(windowed, now),
});
