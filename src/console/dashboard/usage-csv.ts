import { isoTime } from '../../base/lib/iso-time.ts';
import type { WrittenBody } from '../../edge/http/reply.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { UsageReading } from './report-usage.ts';
import { addFigures, noFigures } from './usage-figures.ts';
import type { UsageFigures } from './usage-schema.ts';
import { STEP_MS, type UsageSpan } from './usage-span.ts';

/** The hours or days that are read at a time. */
const STEPS_AT_A_TIME = 24;

const figureColumns = [
  'requests',
  'errors',
  'uncached_input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'microcredits',
] as const satisfies readonly (keyof UsageFigures)[];

export type CsvReading = UsageReading & { keys: readonly ApiKey[] };

/** Writes the usage of a span as CSV: a row for each hour or day, key and model, with the user if usage is grouped by user. */
export const usageCsv =
  (reading: CsvReading, span: UsageSpan): WrittenBody =>
  async (writer) => {
    const isByUser = span.by === 'user' || span.where.user !== undefined;
    const columns = [
      span.step,
      'key_id',
      'key_name',
      'model',
      ...(isByUser ? ['user'] : []),
      ...figureColumns,
    ];
    const begun = writer.write(`${columns.join(',')}\r\n`);
    if (begun) await begun;
    for (let from = span.from; from < span.to; from += STEPS_AT_A_TIME) {
      const slice = { ...span, from, to: Math.min(span.to, from + STEPS_AT_A_TIME) };
      const text = await rowsOf(reading, slice, isByUser);
      const taken = text === '' ? undefined : writer.write(text);
      if (taken) await taken;
    }
  };

type Line = { at: number; key: string; model: string; user: string; figures: UsageFigures };

async function rowsOf(
  { usage, accountId, keys }: CsvReading,
  { step, from, to, where }: UsageSpan,
  isByUser: boolean,
): Promise<string> {
  const asked = { accountId, step, from, to };
  const { user: _, ...ofLedger } = where;
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...asked, by: ['key', 'model', ...(isByUser ? (['user'] as const) : [])], where }),
    isByUser ? [] : usage.chargeSeries({ ...asked, by: ['key', 'model'], where: ofLedger }),
  ]);
  const lines = new Map<string, Line>();
  const lineOf = (at: number, [key = '', model = '', user = '']: (string | undefined)[]): UsageFigures => {
    const name = JSON.stringify([at, key, model, user]);
    const line = lines.get(name) ?? { at, key, model, user, figures: noFigures() };
    lines.set(name, line);
    return line.figures;
  };
  for (const row of charges) addFigures(lineOf(row.at, [row.key, row.model]), figuresOf(row, 0));
  for (const row of requests)
    addFigures(
      lineOf(row.at, [row.key, row.model, row.user]),
      isByUser ? figuresOf(row, row.errors) : { ...noFigures(), errors: row.errors },
    );
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return [...lines.values()]
    .filter(({ figures }) => figureColumns.some((column) => figures[column] > 0))
    .sort((one, other) => one.at - other.at)
    .map(({ at, key, model, user, figures }) => {
      const texts = [
        isoTime(at * STEP_MS[step]),
        key,
        names.get(key) ?? '',
        model,
        ...(isByUser ? [user] : []),
      ];
      return `${[...texts.map(csvCell), ...figureColumns.map((column) => figures[column])].join(',')}\r\n`;
    })
    .join('');
}

type Row = {
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  microcredits: number;
};

const figuresOf = (row: Row, errors: number): UsageFigures => ({
  requests: row.requests,
  errors,
  uncached_input_tokens: row.inputTokens - row.cachedInputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  microcredits: row.microcredits,
});

/** Quotes a text. Spreadsheets run texts that begin like a formula, so such a text gets an apostrophe. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
