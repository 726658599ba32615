import type { Page } from '../money/accounts/account-store.ts';
import type { Budget } from '../money/budgets/budget.ts';
import type { BudgetPage, BudgetStore, CapPage, CappedKey } from '../money/budgets/budget-store.ts';
import { budgetOfRow, cappedKeyOfRow } from './budget-rows.ts';
import type { CommonQueries, CommonRow } from './common-queries.ts';
import { pageOf } from './page-of.ts';
import { SqlStatement } from './sql-statement.ts';

type Port = Pick<BudgetStore, 'findBudget' | 'listBudgets' | 'listCaps'>;
type Selection = {
  columns: string;
  table: 'budget' | 'api_key';
  conditions: readonly string[];
  /** Values that the columns must have. Those that are undefined select nothing. */
  fits: Readonly<Record<string, string | undefined>>;
};

/**
 * Lists of budgets and of keys with a cap, in both kinds of databases.
 * A store adds the changes and the counters.
 */
export class BudgetRecords implements Port {
  readonly #queries: CommonQueries;

  constructor(queries: CommonQueries) {
    this.#queries = queries;
  }

  async findBudget(id: string): Promise<Budget | undefined> {
    const [row] = await this.#queries.all('SELECT * FROM budget WHERE id = $1', [id]);
    return row && budgetOfRow(row);
  }

  async listBudgets({ accountId, scope, target, ...page }: BudgetPage): Promise<Page<Budget>> {
    const fits = { account_id: accountId, scope, target };
    const rows = await this.#page({ columns: '*', table: 'budget', conditions: ['true'], fits }, page);
    return pageOf(rows.map(budgetOfRow), page.limit);
  }

  async listCaps({ accountId, id, ...page }: CapPage): Promise<Page<CappedKey>> {
    const columns = 'id, account_id, name, monthly_cap_usd, version, created_at';
    const conditions = ['monthly_cap_usd IS NOT NULL', 'revoked_at IS NULL'];
    const fits = { account_id: accountId, id };
    const rows = await this.#page({ columns, table: 'api_key', conditions, fits }, page);
    return pageOf(rows.map(cappedKeyOfRow), page.limit);
  }

  /**
   * Selects one row more than the page has.
   * It selects nothing after an unknown row, since the comparison with null is not true.
   */
  #page(
    { columns, table, conditions, fits }: Selection,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<CommonRow[]> {
    const statement = new SqlStatement();
    const all = [...conditions];
    for (const [column, value] of Object.entries(fits))
      if (value !== undefined) all.push(`${column} = ${statement.bind(value)}`);
    if (after !== undefined)
      all.push(`sequence > (SELECT sequence FROM ${table} WHERE id = ${statement.bind(after)})`);
    return this.#queries.all(
      `SELECT ${columns} FROM ${table} WHERE ${all.join(' AND ')} ORDER BY sequence LIMIT ${statement.bind(limit + 1)}`,
      statement.values,
    );
  }
}
