import type { AdminAnswer } from './admin-client.ts';
import { type Column, formatFields, formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';

export const printJson = ({ terminal }: Invocation, value: unknown): void =>
  terminal.print(JSON.stringify(value, null, 2));

/** Prints a list of the admin API as a table, or with --json unchanged. */
export function printList(
  invocation: Invocation,
  answer: AdminAnswer,
  columns: readonly Column<AdminAnswer>[],
): void {
  if (invocation.flag('json')) {
    printJson(invocation, answer);
    return;
  }
  invocation.terminal.print(formatTable(columns, answer.data));
  if (answer.has_more) {
    invocation.terminal.remark(`More results are available: continue with --after ${answer.last_id}`);
  }
}

export function printFields(invocation: Invocation, answer: AdminAnswer): void {
  if (invocation.flag('json')) printJson(invocation, answer);
  else invocation.terminal.print(formatFields(answer));
}

/** A column that shows the field `name`. */
export const field = (name: string, title = name.replaceAll('_', ' ')): Column<AdminAnswer> => ({
  title,
  cell: (row) => row[name],
});
