import { keysOf } from '../../base/lib/records.ts';
import type { AdminKey } from '../../console/admin/admin-calls.ts';
import { coloured } from './colour.ts';
import type { Option } from './command.ts';
import { UsageError } from './command-failure.ts';
import { formatCsv } from './format-csv.ts';
import { formatFields } from './format-fields.ts';
import { type Cell, type Column, formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { listFields } from './list-fields.ts';

/** Prints a value as indented JSON. */
export const printJson = ({ terminal }: Invocation, value: unknown): void =>
  terminal.print(JSON.stringify(value, null, 2));

/** The output formats of list commands, besides --json. */
export const listOptions = {
  jsonl: { kind: 'flag', summary: 'Prints each item as a line of JSON' },
  csv: { kind: 'flag', summary: 'Prints the items as CSV, with all fields' },
} as const satisfies Record<string, Option>;

type Page<Row> = {
  object?: string;
  data: readonly Row[];
  first_id?: string | null;
  last_id?: string | null;
  has_more?: boolean;
};

const formats = {
  json: (answer) => JSON.stringify(answer, null, 2),
  jsonl: ({ data }) => data.map((item) => JSON.stringify(item)).join('\n'),
  csv: ({ data }) => formatCsv(data),
} as const satisfies Record<string, (answer: Page<object>) => string>;

/** Reports whether a list is printed as a table, and not in a format for programs. */
export const isPrintedAsTable = (invocation: Invocation): boolean =>
  !keysOf(formats).some((name) => invocation.flag(name));

/**
 * The columns of a list as a table. `key` is the list of the admin API, whose fields are the header of an
 * empty CSV.
 */
type Table<Row> = { key?: AdminKey; columns: readonly Column<Row>[] };

/** Prints a page of a list, and how to get the next one. */
export async function printList<Row extends object>(
  invocation: Invocation,
  answer: Page<Row>,
  table: Table<Row>,
): Promise<void> {
  await printItems(invocation, answer, table);
  if (answer.has_more && !invocation.flag('json'))
    invocation.terminal.remark(`More results are available; --after ${answer.last_id} continues the list.`);
}

/**
 * Prints the items of an answer of the admin API as a table, or in the format of the option. `--json` prints
 * the answer unchanged.
 */
export async function printItems<Row extends object>(
  invocation: Invocation,
  answer: Page<Row>,
  { key, columns }: Table<Row>,
): Promise<void> {
  const { terminal } = invocation;
  const chosen = keysOf(formats).filter((name) => invocation.flag(name));
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} and --${chosen[1]} cannot be combined`);
  const [format] = chosen;
  const text = format
    ? await formatted(format, answer, key)
    : withBoldTitles(terminal, formatTable(columns, answer.data));
  if (text !== '') terminal.print(text);
}

/** Formats a list. The columns of an empty CSV file come from the admin API, since there are no rows. */
async function formatted<Row extends object>(
  format: keyof typeof formats,
  answer: Page<Row>,
  key: Table<Row>['key'],
): Promise<string> {
  if (format === 'csv' && answer.data.length === 0 && key !== undefined)
    return (await listFields(key)).join(',');
  return formats[format](answer);
}

function withBoldTitles(terminal: Invocation['terminal'], table: string): string {
  const [titles, ...rows] = table.split('\n');
  return [coloured(terminal, 'bold', titles!), ...rows].join('\n');
}

/** Prints the fields of one object, or the object itself with `--json`. */
export function printFields(invocation: Invocation, answer: object): void {
  if (invocation.flag('json')) printJson(invocation, answer);
  else invocation.terminal.print(formatFields(answer));
}

/** Makes a column that shows the field `name`. */
export const field = <const Name extends string>(
  name: Name,
  title = name.replaceAll('_', ' '),
): Column<Readonly<Record<Name, Cell>>> => ({ title, cell: (row) => row[name] });
