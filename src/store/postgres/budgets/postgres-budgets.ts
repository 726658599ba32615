import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import type { BudgetStore, PageOfSpending, SpendPage } from '../../../money/budgets/budget-store.ts';
import { binOf, firstBin, spanOf } from '../../../money/budgets/budget-window.ts';
import { BudgetRecords } from '../../budget-records.ts';
import { budgetOfRow, changeableOfBudget, rowOfBudget } from '../../budget-rows.ts';
import { pageOfSpending } from '../../page-of-spending.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { longTransaction } from '../care/long-transaction.ts';
import type { Database } from '../database.ts';
import { auditCall } from '../postgres-forms.ts';
import { PostgresQueries } from '../postgres-queries.ts';
import type { Queries } from '../queries.ts';
import { PostgresBudgetCount } from './postgres-budget-count.ts';

export type PostgresBudgetsParts = { database: Database; isQuarantined(accountId: string): boolean };

const countOfSql = 'SELECT count(*) AS count FROM budget WHERE account_id = $1';
const removeSpendSql = 'DELETE FROM budget_spend WHERE account_id = $1 AND counter = $2';
const sumTargetsSql = `
  SELECT target, sum(used)::bigint AS used, sum(held)::bigint AS held, sum(requests)::bigint AS requests,
    min(bin) FILTER (WHERE used + held > 0) AS bin
  FROM budget_spend WHERE account_id = $1 AND counter = $2 AND bin BETWEEN $3 AND $4
  GROUP BY target HAVING sum(used + held + requests) > 0`;

/**
 * The budgets of an installation of several nodes.
 * Every change locks the end of the account's chain, as postings do.
 */
export class PostgresBudgets extends BudgetRecords implements BudgetStore {
  readonly #database: Database;
  readonly #isQuarantined: PostgresBudgetsParts['isQuarantined'];

  constructor({ database, isQuarantined }: PostgresBudgetsParts) {
    super(new PostgresQueries(database));
    this.#database = database;
    this.#isQuarantined = isQuarantined;
  }

  async createBudget(budget: Budget, audit: AuditEntry, limit: number): Promise<'created' | 'full'> {
    const count = await this.#count(budget);
    return this.#change(budget.accountId, async (queries) => {
      const row = await queries.first(countOfSql, [budget.accountId]);
      if (Number(row?.count ?? 0) >= limit) return 'full';
      const statement = new SqlStatement();
      await queries.run(statement.insert('budget', rowOfBudget(budget)), statement.values);
      await count.write(queries);
      await finish(queries, budget.accountId, audit);
      return 'created';
    });
  }

  async saveBudget(budget: Budget, audit: AuditEntry): Promise<'saved' | 'conflict'> {
    const earlier = await this.findBudget(budget.id);
    const count = earlier?.counter === budget.counter ? undefined : await this.#count(budget);
    return this.#change(budget.accountId, async (queries) => {
      const row = await queries.first('SELECT * FROM budget WHERE id = $1 FOR UPDATE', [budget.id]);
      const before = row && budgetOfRow(row);
      if (before?.revision !== budget.revision) return 'conflict';
      const start = count ? {} : { countsFrom: before.countsFrom };
      const changed = { ...budget, ...start, revision: budget.revision + 1 };
      const statement = new SqlStatement();
      const changes = statement.assign(changeableOfBudget(changed));
      const text = `UPDATE budget SET ${changes} WHERE id = ${statement.bind(budget.id)}`;
      await queries.run(text, statement.values);
      if (count) {
        await queries.run(removeSpendSql, [before.accountId, before.counter]);
        await count.write(queries);
      }
      await finish(queries, budget.accountId, audit);
      return 'saved';
    });
  }

  async removeBudget({ id, accountId, revision }: Budget, audit: AuditEntry): Promise<boolean> {
    return this.#change(accountId, async (queries) => {
      const text = 'DELETE FROM budget WHERE id = $1 AND revision = $2 RETURNING counter';
      const row = await queries.first(text, [id, revision]);
      if (!row) return false;
      await queries.run(removeSpendSql, [accountId, String(row.counter)]);
      await finish(queries, accountId, audit);
      return true;
    });
  }

  async listSpending(budget: Budget, { now, ...page }: SpendPage): Promise<PageOfSpending> {
    const bin = binOf(budget, now);
    // biome-ignore format: a line for each group
    const rows = await this.#database.all(sumTargetsSql, [
      budget.accountId, budget.counter, firstBin(budget, now), bin,
    ]);
    const spent = rows.map((row) => ({
      target: String(row.target),
      usedMicrocredits: Number(row.used),
      requests: Number(row.requests),
      bin: row.bin === null ? undefined : Number(row.bin),
    }));
    const held = new Map(
      rows.flatMap((row) => (Number(row.held) > 0 ? [[String(row.target), Number(row.held)]] : [])),
    );
    return pageOfSpending(spent, held, { ...page, bin });
  }

  /** Deletes the bins that no window has any longer, once there are enough of them. */
  async sweep(now: number): Promise<void> {
    for (const budget of (await this.#database.all('SELECT * FROM budget')).map(budgetOfRow)) {
      const span = spanOf(budget.window);
      const from = firstBin(budget, now - span);
      if (from - budget.countsFrom < span) continue;
      await this.#database.run('SELECT sweep_budget($1, $2, $3)', [budget.id, budget.accountId, from]);
    }
  }

  async #count(budget: Budget): Promise<PostgresBudgetCount> {
    if (this.#isQuarantined(budget.accountId)) throw new AccountQuarantined(budget.accountId);
    const count = new PostgresBudgetCount(budget);
    await count.read(this.#database);
    return count;
  }

  #change<T>(accountId: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    return longTransaction(this.#database, async (queries) => {
      await queries.run('SELECT lock_heads(ARRAY[$1])', [accountId]);
      return work(queries);
    });
  }
}

/** Writes the audit entry last, since its lock orders entries by their commit. */
async function finish(queries: Queries, accountId: string, audit: AuditEntry): Promise<void> {
  await queries.run('SELECT count_budgets($1)', [accountId]);
  const statement = new SqlStatement();
  await queries.run(
    `SELECT announce('account', ${statement.bind(accountId)}), ${auditCall(statement, audit)}`,
    statement.values,
  );
}
