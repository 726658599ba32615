import { type Column, formatTable } from '../format-table.ts';
import type { Terminal } from '../terminal.ts';
import type { AccountUse } from './accounts-using.ts';
import type { PriceUpdate } from './plan-update.ts';
import type { PriceChange } from './price-changes.ts';

const cell = (value: unknown): string => {
  if (value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const changeColumns = (['model', 'row', 'field', 'from', 'to'] as const).map(
  (name): Column<PriceChange> => ({ title: name, cell: (change) => cell(change[name]) }),
);

const useColumns: readonly Column<AccountUse>[] = [
  { title: 'account', cell: (use) => use.account_id },
  { title: 'model', cell: (use) => use.model },
  { title: 'requests', cell: (use) => use.requests_30d },
];

/** Prints what an update would change, and which accounts use the models. */
export function showUpdate(
  terminal: Terminal,
  { changes, skipped }: PriceUpdate,
  accounts: readonly AccountUse[],
): void {
  if (skipped.length > 0) terminal.remark(`Skipped, because no model has this name: ${skipped.join(', ')}`);
  terminal.print(changes.length === 0 ? 'No price changes.' : formatTable(changeColumns, changes));
  if (accounts.length === 0) return;
  terminal.print('\nAccounts that used these models in the last 30 days:');
  terminal.print(formatTable(useColumns, accounts));
}
