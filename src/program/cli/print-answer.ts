import type { AdminAnswer } from './admin-client.ts';
import { coloured } from './colour.ts';
import type { Option } from './command.ts';
import { UsageError } from './command-failure.ts';
import { formatCsv } from './format-csv.ts';
import { type Column, formatFields, formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { type ListName, listFields } from './list-schemas.ts';

export const printJson = ({ terminal }: Invocation, value: unknown): void =>
  terminal.print(JSON.stringify(value, null, 2));

/** The output formats of list commands, besides --json. */
export const listOptions = {
  jsonl: { kind: 'flag', summary: 'Prints each item as a line of JSON' },
  csv: { kind: 'flag', summary: 'Prints the items as CSV, with all fields' },
} as const satisfies Record<string, Option>;

const formats: Readonly<Record<string, (answer: AdminAnswer) => string>> = {
  json: (answer) => JSON.stringify(answer, null, 2),
  jsonl: ({ data }) => data.map((item: unknown) => JSON.stringify(item)).join('\n'),
  csv: ({ data }) => formatCsv(data),
};

/** The columns of a list as a table. `name`: the list of the admin API, whose fields are the header of an empty CSV. */
type List = { name?: ListName; columns: readonly Column<AdminAnswer>[] };

/** Prints a list of the admin API as a table, or in the format of the option. `--json` prints the answer unchanged. */
export async function printList(
  invocation: Invocation,
  answer: AdminAnswer,
  { name, columns }: List,
): Promise<void> {
  const { terminal } = invocation;
  const chosen = Object.keys(formats).filter((name) => invocation.flag(name));
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} and --${chosen[1]} cannot be combined`);
  const [format] = chosen;
  const text = format
    ? format === 'csv' && answer.data.length === 0 && name !== undefined
      ? (await listFields(name)).join(',')
      : formats[format]!(answer)
    : withBoldTitles(terminal, formatTable(columns, answer.data));
  if (text !== '') terminal.print(text);
  if (answer.has_more && format !== 'json')
    terminal.remark(`More results are available; --after ${answer.last_id} continues the list.`);
}

function withBoldTitles(terminal: Invocation['terminal'], table: string): string {
  const [titles, ...rows] = table.split('\n');
  return [coloured(terminal, 'bold', titles!), ...rows].join('\n');
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
