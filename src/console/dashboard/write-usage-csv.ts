import { csvCell } from '../../base/lib/csv-cell.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { BodyWriter } from '../../edge/http/reply.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { type FiguresLine, readUsageLines } from './read-usage-lines.ts';
import { figureNames } from './usage-figures.ts';
import type { UsageReading } from './usage-reading.ts';
import { STEP_MS, type UsageSpan } from './usage-span.ts';

/** The hours or days that are read at a time. */
const STEPS_AT_A_TIME = 24;

type CsvColumn = { name: string; cellOf: (line: FiguresLine) => string | number };

export type CsvReading = UsageReading & { keys: readonly ApiKey[] };

/**
 * Writes the usage of a span as CSV: a row for each hour or day, key and model, with the user if usage is
 * grouped by user.
 */
export async function writeUsageCsv(
  writer: BodyWriter,
  { keys, ...reading }: CsvReading,
  span: UsageSpan,
): Promise<void> {
  const isByUser = span.by === 'user' || span.where.user !== undefined;
  const columns = columnsOf(span.step, keys, { isByUser });
  await writer.write(rowOf(columns.map(({ name }) => name)));
  for (let from = span.from; from < span.to; from += STEPS_AT_A_TIME) {
    const slice = { ...span, from, to: Math.min(span.to, from + STEPS_AT_A_TIME) };
    const lines = await readUsageLines(reading, slice, { isByUser });
    const rows = lines
      .filter(({ figures }) => figureNames.some((figure) => figures[figure] > 0))
      .map((line) => rowOf(columns.map(({ cellOf }) => cellOf(line))));
    if (rows.length > 0) await writer.write(rows.join(''));
  }
}

function columnsOf(
  step: UsageSpan['step'],
  keys: readonly ApiKey[],
  { isByUser }: { isByUser: boolean },
): CsvColumn[] {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return [
    { name: step, cellOf: ({ at }) => isoTime(at * STEP_MS[step]) },
    { name: 'key_id', cellOf: ({ key }) => key },
    { name: 'key_name', cellOf: ({ key }) => names.get(key) ?? '' },
    { name: 'model', cellOf: ({ model }) => model },
    ...(isByUser ? [{ name: 'user', cellOf: ({ user }: FiguresLine) => user }] : []),
    ...figureNames.map((name) => ({ name, cellOf: ({ figures }: FiguresLine) => figures[name] })),
  ];
}

const rowOf = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`;
