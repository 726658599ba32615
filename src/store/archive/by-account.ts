import type { ArchivedRow } from './archived-row.ts';

/** Orders by account. An account's entries keep their order. */
export function byAccount(rows: readonly ArchivedRow[]): ArchivedRow[] {
  const accounts = new Map<string, ArchivedRow[]>();
  for (const row of rows) {
    const accountRows = accounts.get(row.accountId);
    if (accountRows) accountRows.push(row);
    else accounts.set(row.accountId, [row]);
  }
  return [...accounts.keys()].sort().flatMap((accountId) => accounts.get(accountId)!);
}
