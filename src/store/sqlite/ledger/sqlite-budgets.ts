import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import type { BudgetStore, PageOfSpending, SpendPage } from '../../../money/budgets/budget-store.ts';
import { binOf, firstBin, spanOf } from '../../../money/budgets/budget-window.ts';
import { BudgetRecords } from '../../budget-records.ts';
import { changeableOfBudget, rowOfBudget } from '../../budget-rows.ts';
import type { SpendRow } from '../../ledger/spend-rows-of.ts';
import { pageOfSpending } from '../../page-of-spending.ts';
import { SqlStatement } from '../../sql-statement.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { sqliteForms } from '../sqlite-forms.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import { numbered, runSteps, SqliteQueries } from '../sqlite-queries.ts';
import type { Books } from './books.ts';
import { BudgetCount } from './budget-count.ts';
import type { BudgetRules } from './budget-rules.ts';
import { deleteSpend, sumTargets } from './budget-spend.ts';
import { BudgetsWrite } from './budgets-write.ts';
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
  quarantines: Quarantines;
};

/** The budgets of the embedded store. Their counters are kept with the other sums of the ledger. */
export class SqliteBudgets extends BudgetRecords implements BudgetStore {
  readonly #parts: SqliteBudgetsParts;

  constructor(parts: SqliteBudgetsParts) {
    super(new SqliteQueries(parts.connection, parts.writer));
    this.#parts = parts;
  }

  async createBudget(budget: Budget, audit: AuditEntry, limit: number): Promise<'created' | 'full'> {
    const { rules } = this.#parts;
    const { accountId } = budget;
    const count = await this.#count(budget);
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        if (rules.of(accountId).length >= limit) return undefined;
        insertBudget(connection, budget);
        count.write(connection);
        runSteps(connection, sqliteForms.audit.record(audit));
        return [...rules.of(accountId), budget];
      },
      undo: () => count.undo(),
    });
    await this.#parts.writer.change(write);
    return write.isDone ? 'created' : 'full';
  }

  async saveBudget(budget: Budget, audit: AuditEntry): Promise<'saved' | 'conflict'> {
    const { rules, sums } = this.#parts;
    const { accountId, id, revision } = budget;
    const stored = rules.of(accountId).find((rule) => rule.id === id);
    const count = stored?.counter === budget.counter ? undefined : await this.#count(budget);
    let dropped: readonly SpendRow[] = [];
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        const before = rules.of(accountId).find((rule) => rule.id === id);
        if (before?.revision !== revision) return undefined;
        // The bins may have been swept meanwhile.
        const start = before.counter === budget.counter ? { countsFrom: before.countsFrom } : {};
        const after = { ...budget, ...start, revision: revision + 1 };
        updateBudget(connection, after);
        if (count) {
          dropped = this.#drop(connection, before);
          count.write(connection);
        }
        runSteps(connection, sqliteForms.audit.record(audit));
        return rules.of(accountId).map((rule) => (rule.id === id ? after : rule));
      },
      undo: () => {
        count?.undo();
        sums.restoreCounter(accountId, dropped);
      },
    });
    await this.#parts.writer.change(write);
    return write.isDone ? 'saved' : 'conflict';
  }

  async removeBudget({ accountId, id, revision }: Budget, audit: AuditEntry): Promise<boolean> {
    const { rules, sums } = this.#parts;
    let dropped: readonly SpendRow[] = [];
    const write = new BudgetsWrite(rules, accountId, {
      write: (connection) => {
        const budget = rules.of(accountId).find((rule) => rule.id === id);
        if (budget?.revision !== revision) return undefined;
        connection.run('DELETE FROM budget WHERE id = $id', { id });
        dropped = this.#drop(connection, budget);
        runSteps(connection, sqliteForms.audit.record(audit));
        return rules.of(accountId).filter((rule) => rule.id !== id);
      },
      undo: () => sums.restoreCounter(accountId, dropped),
    });
    await this.#parts.writer.change(write);
    return write.isDone;
  }

  async listSpending(budget: Budget, { now, ...page }: SpendPage): Promise<PageOfSpending> {
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
        const budget = rules.of(accountId).find((rule) => rule.id === id);
        if (!budget || budget.countsFrom >= countsFrom) return undefined;
        connection.run('UPDATE budget SET counts_from = $countsFrom WHERE id = $id', { id, countsFrom });
        deleteSpend(connection, { accountId, counter: budget.counter, before: countsFrom });
        return rules.of(accountId).map((rule) => (rule.id === id ? { ...rule, countsFrom } : rule));
      },
    });
    await this.#parts.writer.change(write);
  }

  /** Deletes the counters of a budget. Returns those of its amounts that were not written yet. */
  #drop(connection: SqliteConnection, { accountId, counter }: Budget): SpendRow[] {
    deleteSpend(connection, { accountId, counter, before: Number.MAX_SAFE_INTEGER });
    return this.#parts.sums.dropCounter(accountId, counter);
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

function insertBudget(connection: SqliteConnection, budget: Budget): void {
  const statement = new SqlStatement();
  connection.run(numbered(statement.insert('budget', rowOfBudget(budget))), statement.values);
}

function updateBudget(connection: SqliteConnection, budget: Budget): void {
  const statement = new SqlStatement();
  const changes = statement.assign(changeableOfBudget(budget));
  const text = `UPDATE budget SET ${changes} WHERE id = ${statement.bind(budget.id)}`;
  connection.run(numbered(text), statement.values);
}
