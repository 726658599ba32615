import { addFigures, figuresOf, noFigures } from './usage-figures.ts';
import type { UsageReading } from './usage-reading.ts';
import type { UsageFigures } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** The figures of one hour or day, key and model, and of one end user if the lines are by user. */
export type FiguresLine = { at: number; key: string; model: string; user: string; figures: UsageFigures };

type LineName = { at: number; key?: string; model?: string; user?: string };

/** Reads the usage of a span in lines, the earliest first. */
export const readUsageLines = (
  reading: UsageReading,
  span: UsageSpan,
  { isByUser }: { isByUser: boolean },
): Promise<FiguresLine[]> => (isByUser ? readLinesByUser(reading, span) : readLinesByKey(reading, span));

/** Reads all figures from the sums of requests, since the ledger knows no end users. */
async function readLinesByUser(
  { usage, accountId }: UsageReading,
  { step, from, to, where }: UsageSpan,
): Promise<FiguresLine[]> {
  const lines = new FiguresLines();
  const by = ['key', 'model', 'user'] as const;
  const requests = await usage.requestSeries({ accountId, step, from, to, by, where });
  for (const row of requests) lines.add(row, figuresOf(row, row.errors));
  return lines.sorted();
}

/** Reads the figures from the sums of charges. Only the sums of requests have errors. */
async function readLinesByKey(
  { usage, accountId }: UsageReading,
  { step, from, to, where: { user: _, ...where } }: UsageSpan,
): Promise<FiguresLine[]> {
  const query = { accountId, step, from, to, by: ['key', 'model'] as const, where };
  const [requests, charges] = await Promise.all([usage.requestSeries(query), usage.chargeSeries(query)]);
  const lines = new FiguresLines();
  for (const row of charges) lines.add(row, figuresOf(row));
  for (const { errors, ...name } of requests) lines.add(name, { ...noFigures(), errors });
  return lines.sorted();
}

/** Adds figures up by hour or day, key, model and user. */
class FiguresLines {
  readonly #lines = new Map<string, FiguresLine>();

  add({ at, key = '', model = '', user = '' }: LineName, figures: UsageFigures): void {
    const name = JSON.stringify([at, key, model, user]);
    let line = this.#lines.get(name);
    if (!line) {
      line = { at, key, model, user, figures: noFigures() };
      this.#lines.set(name, line);
    }
    addFigures(line.figures, figures);
  }

  /** Returns the lines, the earliest first. */
  sorted(): FiguresLine[] {
    return [...this.#lines.values()].sort((one, other) => one.at - other.at);
  }
}
