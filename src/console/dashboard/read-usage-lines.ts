import type { UsageReading } from './report-usage.ts';
import { addFigures, figuresOf, noFigures } from './usage-figures.ts';
import type { UsageFigures } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** The figures of one hour or day, key and model, and of one end user if the lines are by user. */
export type FiguresLine = { at: number; key: string; model: string; user: string; figures: UsageFigures };

type LineName = { at: number; key?: string; model?: string; user?: string };

/**
 * Reads the usage of a span in lines, the earliest first. The sums of charges have all figures except errors.
 * By user, the sums of requests have all figures, since the ledger knows no end users.
 */
export async function readUsageLines(
  { usage, accountId }: UsageReading,
  { step, from, to, where }: UsageSpan,
  isByUser: boolean,
): Promise<FiguresLine[]> {
  const spanQuery = { accountId, step, from, to };
  const lines = new FiguresLines();
  if (isByUser) {
    const requests = await usage.requestSeries({ ...spanQuery, by: ['key', 'model', 'user'], where });
    for (const row of requests) lines.add(row, figuresOf(row, row.errors));
    return lines.sorted();
  }
  const { user: _, ...ofLedger } = where;
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...spanQuery, by: ['key', 'model'], where }),
    usage.chargeSeries({ ...spanQuery, by: ['key', 'model'], where: ofLedger }),
  ]);
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
