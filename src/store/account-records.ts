import type { Account } from '../money/accounts/account.ts';
import type { AccountPage, AccountStore, Page, SaveOutcome } from '../money/accounts/account-store.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import { accountOfRow, changeableOfAccount, rowOfAccount } from './account-rows.ts';
import { pageOf } from './page-of.ts';
import type { RecordQueries } from './record-queries.ts';
import { SqlStatement } from './sql-statement.ts';

type Port = Pick<AccountStore, 'createAccount' | 'findAccount' | 'listAccounts' | 'saveAccount'>;

/** Accounts in both kinds of databases. */
export class AccountRecords implements Port {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async createAccount(account: Account, audit: AuditEntry): Promise<void> {
    await this.#queries.change(
      { kind: 'account', audit },
      (statement) => `${statement.insert('account', rowOfAccount(account))} RETURNING id`,
    );
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const [row] = await this.#queries.all('SELECT * FROM account WHERE id = $1', [id]);
    return row && accountOfRow(row);
  }

  /** Lists nothing after an unknown account, since the comparison with null is not true. */
  async listAccounts({ limit, after, search }: AccountPage): Promise<Page<Account>> {
    const statement = new SqlStatement();
    const conditions = ['true'];
    if (after !== undefined)
      conditions.push(`sequence > (SELECT sequence FROM account WHERE id = ${statement.bind(after)})`);
    if (search !== undefined) conditions.push(this.#fitsSearch(statement.bind(search)));
    const rows = await this.#queries.all(
      `SELECT * FROM account WHERE ${conditions.join(' AND ')} ORDER BY sequence LIMIT ${statement.bind(limit + 1)}`,
      statement.values,
    );
    return pageOf(rows.map(accountOfRow), limit);
  }

  async saveAccount(account: Account, audit: AuditEntry): Promise<SaveOutcome> {
    const isSaved = await this.#queries.change({ kind: 'account', audit }, (statement) =>
      statement.save('account', account, changeableOfAccount(account)),
    );
    return isSaved ? 'saved' : 'conflict';
  }

  /** A scan of 100,000 accounts takes about 20 ms in SQLite, and 100 ms in Postgres. */
  #fitsSearch(place: string): string {
    const { lower, position } = this.#queries.forms;
    const search = lower(`CAST(${place} AS text)`);
    const found = (column: string) => `${position}(${lower(column)}, ${search})`;
    return `(${found('name')} > 0 OR ${found('email')} > 0 OR ${found('id')} = 1)`;
  }
}
