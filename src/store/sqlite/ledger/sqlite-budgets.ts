import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import type {
  BudgetPage,
  BudgetStore,
  CapPage,
  CappedKey,
  Paged,
  SpendingPage,
  SpendPage,
} from '../../../money/budgets/budget-store.ts';
import { binOf, firstBin, spanOf } from '../../../money/budgets/budget-window.ts';
import { budgetOfRow, cappedKeyOfRow, rowOfBudget } from '../../budget-rows.ts';
import { pageOf } from '../../page-of.ts';
import { pageOfSpending } from '../../page-of-spending.ts';
import { insertAudit } from '../audit.ts';
import type { SqliteConnection } from '../connection.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import type { Change } from '../store-change.ts';
import { insertRow } from '../write-row.ts';
import type { Books } from './books.ts';
import { BudgetCount } from './budget-count.ts';
import type { BudgetRules } from './budget-rules.ts';
import { deleteSpend, sumTargets } from './budget-spend.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { Quarantines } from './quarantines.ts';
import type { RunningSums } from './running-sums.ts';

export type SqliteBudgetsParts = {
  connection: SqliteConnection;
  writer: GroupCommitWriter;
  sums: RunningSums;
  books: Books;
  archive: LedgerArchive;
  rules: BudgetRules;
  quarantines: Pick<Quarantines, 'of'>;
};

/** A change of the budgets of an account, in one transaction. The rules in memory change with the rows. */
class BudgetsWrite implements Change {
  readonly #rules: BudgetRules;
  readonly #accountId: string;
  readonly #write: (connection: SqliteConnection) => readonly Budget[] | undefined;
  readonly #undo: () => void;
  #before: readonly Budget[] | undefined;
  isDone = false;

  constructor(
    rules: BudgetRules,
    accountId: string,
    parts: { write: (connection: SqliteConnection) => readonly Budget[] | undefined; undo?: () => void },
  ) {
    this.#rules = rules;
    this.#accountId = accountId;
    this.#write = parts.write;
    this.#undo = parts.undo ?? (() => {});
  }

  run(connection: SqliteConnection): void {
    this.#before = this.#rules.of(this.#accountId);
    const after = this.#write(connection);
    this.isDone = after !== undefined;
    if (!after) return;
    connection.run(countBudgets, { accountId: this.#accountId, count: after.length });
    this.#rules.set(this.#accountId, after);
  }

  undo(): void {
    if (this.#before) this.#rules.set(this.#accountId, this.#before);
    this.#undo();
  }

  written(): void {}

  failed(): void {
    this.undo();
  }
}

/** The budgets of the embedded store. Their counters are kept with the other sums of the ledger. */
export class SqliteBudgets implements BudgetStore {
  readonly #parts: SqliteBudgetsParts;

  constructor(parts: SqliteBudgetsParts) {
    this.#parts = parts;
  }

  async createBudget(budget: Budget, audit: AuditEntry, most: number): Promise<'created' | 'full'> {
    const { rules } = this.#parts;
    const { accountId } = budget;
    const count = await this.#count(budget);
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        if (rules.of(accountId).length >= most) return undefined;
        insertRow(connection, 'budget', rowOfBudget(budget));
        count.write(connection);
        insertAudit(connection, audit);
        return [...rules.of(accountId), budget];
      },
      undo: () => count.undo(),
    });
    await this.#parts.writer.change(write);
    return write.isDone ? 'created' : 'full';
  }

  async findBudget(id: string): Promise<Budget | undefined> {
    const row = this.#read((connection) => connection.first('SELECT * FROM budget WHERE id = $id', { id }));
    return row && budgetOfRow(row);
  }

  async listBudgets({ limit, after, accountId, scope, target }: BudgetPage): Promise<Paged<Budget>> {
    const values = {
      ...{ limit: limit + 1, after: after ?? null },
      ...{ accountId: accountId ?? null, scope: scope ?? null, target: target ?? null },
    };
    const rows = this.#read((connection) => connection.all(selectPage, values));
    return pageOf(rows.map(budgetOfRow), limit);
  }

  async saveBudget(budget: Budget, audit: AuditEntry): Promise<'saved' | 'conflict'> {
    const { rules } = this.#parts;
    const { accountId, id, revision } = budget;
    const known = rules.of(accountId).find((one) => one.id === id);
    const count = known?.counter === budget.counter ? undefined : await this.#count(budget);
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        const before = rules.of(accountId).find((one) => one.id === id);
        if (before?.revision !== revision) return undefined;
        // The bins may have been swept meanwhile.
        const kept = before.counter === budget.counter ? { countsFrom: before.countsFrom } : {};
        const after = { ...budget, ...kept, revision: revision + 1 };
        replaceRow(connection, after);
        if (count) {
          this.#drop(connection, before);
          count.write(connection);
        }
        insertAudit(connection, audit);
        return rules.of(accountId).map((one) => (one.id === id ? after : one));
      },
      undo: () => count?.undo(),
    });
    await this.#parts.writer.change(write);
    return write.isDone ? 'saved' : 'conflict';
  }

  async removeBudget({ accountId, id }: Budget, audit: AuditEntry): Promise<boolean> {
    const { rules } = this.#parts;
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        const budget = rules.of(accountId).find((one) => one.id === id);
        if (!budget) return undefined;
        connection.run('DELETE FROM budget WHERE id = $id', { id });
        this.#drop(connection, budget);
        insertAudit(connection, audit);
        return rules.of(accountId).filter((one) => one.id !== id);
      },
    });
    await this.#parts.writer.change(write);
    return write.isDone;
  }

  async listSpending(budget: Budget, { now, ...page }: SpendPage): Promise<SpendingPage> {
    const { sums, books } = this.#parts;
    const { accountId, counter } = budget;
    const held = books.of(accountId).balances.heldOf(budget, now);
    const spent = this.#read((connection) => {
      sums.write(accountId);
      const span = { first: firstBin(budget, now), last: binOf(budget, now) };
      return sumTargets(connection, { accountId, counter, ...span });
    });
    return pageOfSpending(spent, held, { ...page, bin: binOf(budget, now) });
  }

  async listCaps({ limit, after, accountId, id }: CapPage): Promise<Paged<CappedKey>> {
    const of = { accountId: accountId ?? null, id: id ?? null };
    const values = { ...of, limit: limit + 1, after: after ?? null };
    const rows = this.#read((connection) => connection.all(selectCaps, values));
    return pageOf(rows.map(cappedKeyOfRow), limit);
  }

  /** Deletes the bins that no window has any longer, once there are enough of them. */
  async sweep(now: number): Promise<void> {
    for (const budget of this.#parts.rules.all) {
      const span = spanOf(budget.window);
      const from = firstBin(budget, now - span);
      if (from - budget.countsFrom >= span) await this.#sweep(budget, from);
    }
  }

  async #sweep({ accountId, id }: Budget, countsFrom: number): Promise<void> {
    const { rules } = this.#parts;
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        const budget = rules.of(accountId).find((one) => one.id === id);
        if (!budget || budget.countsFrom >= countsFrom) return undefined;
        connection.run('UPDATE budget SET counts_from = $countsFrom WHERE id = $id', { id, countsFrom });
        deleteSpend(connection, { accountId, counter: budget.counter, before: countsFrom });
        return rules.of(accountId).map((one) => (one.id === id ? { ...one, countsFrom } : one));
      },
    });
    await this.#parts.writer.change(write);
  }

  /** Deletes the counters of a budget. */
  #drop(connection: SqliteConnection, { accountId, counter }: Budget): void {
    this.#parts.sums.dropCounter(accountId, counter);
    deleteSpend(connection, { accountId, counter, before: Number.MAX_SAFE_INTEGER });
  }

  /** Counts what was charged before, apart from the latest entries. */
  async #count(budget: Budget): Promise<BudgetCount> {
    if (this.#parts.quarantines.of(budget.accountId)) throw new AccountQuarantined(budget.accountId);
    const count = new BudgetCount(this.#parts, budget);
    await count.read();
    return count;
  }

  #read<T>(query: (connection: SqliteConnection) => T): T {
    const { connection } = this.#parts;
    return withSqliteProblems(connection.path, () => query(connection));
  }
}

function replaceRow(connection: SqliteConnection, budget: Budget): void {
  const { id, ...columns } = rowOfBudget(budget);
  const assigned = Object.keys(columns).map((column) => `${column} = ?`);
  connection.run(`UPDATE budget SET ${assigned.join(', ')} WHERE id = ?`, [...Object.values(columns), id!]);
}

/** Holders of the account notice its new version. */
const countBudgets = `
  UPDATE account SET budgets = $count, version = version + 1 WHERE id = $accountId AND budgets <> $count`;

const selectPage = `
  SELECT * FROM budget
  WHERE sequence > CASE WHEN $after IS NULL THEN 0 ELSE (SELECT sequence FROM budget WHERE id = $after) END
    AND ($accountId IS NULL OR account_id = $accountId) AND ($scope IS NULL OR scope = $scope)
    AND ($target IS NULL OR target = $target)
  ORDER BY sequence LIMIT $limit`;

const selectCaps = `
  SELECT id, account_id, name, monthly_cap_usd, version, created_at FROM api_key
  WHERE monthly_cap_usd IS NOT NULL AND revoked_at IS NULL
    AND sequence > CASE WHEN $after IS NULL THEN 0 ELSE (SELECT sequence FROM api_key WHERE id = $after) END
    AND ($accountId IS NULL OR account_id = $accountId) AND ($id IS NULL OR id = $id)
  ORDER BY sequence LIMIT $limit`;
