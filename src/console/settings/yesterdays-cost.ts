import type { Accounts } from '../../money/accounts/accounts.ts';
import { rateRowsOf, rowFor } from '../../money/ledger/rate-row.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import type { ChargeSeriesRow, UsageStore } from '../../watch/requests/usage-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ACCOUNTS_AT_A_TIME = 500;
const MICROCREDIT = 1_000_000;

export type YesterdaysCost = { requests: number; before: number; after: number };

export type YesterdaysQuestion = {
  model: string;
  /** The prices before and after. `null` means that there is no such model. */
  before: Pricing | null;
  after: Pricing | null;
  now: number;
};

type Sources = { accounts: Pick<Accounts, 'list'>; usage: Pick<UsageStore, 'chargeSeries'> };

/**
 * Computes what the charged requests of yesterday (UTC) for a model would have cost at other prices. Charges are known by the hour, so a
 * row with conditions holds for the average request of an hour.
 */
export async function yesterdaysCost(
  question: YesterdaysQuestion,
  sources: Sources,
): Promise<YesterdaysCost> {
  const cost: YesterdaysCost = { requests: 0, before: 0, after: 0 };
  const today = Math.floor(question.now / DAY_MS);
  const span = { step: 'hour', from: (today - 1) * 24, to: today * 24 } as const;
  const where = { model: question.model };
  let after: string | undefined;
  do {
    const page = await sources.accounts.list({ limit: ACCOUNTS_AT_A_TIME, ...(after && { after }) });
    for (const { id } of page.items) {
      const rows = await sources.usage.chargeSeries({ accountId: id, ...span, by: ['model'], where });
      for (const row of rows) add(cost, row, question);
    }
    after = page.hasMore ? page.items.at(-1)?.id : undefined;
  } while (after !== undefined);
  return cost;
}

function add(cost: YesterdaysCost, row: ChargeSeriesRow, { before, after }: YesterdaysQuestion): void {
  cost.requests += row.requests;
  cost.before += row.microcredits;
  const old = before ? unitsOf(row, before) : 0;
  const now = after ? unitsOf(row, after) : 0;
  // The ratio keeps what the charges have besides tokens of one price, such as the roundings of single requests.
  cost.after += Math.round(old > 0 ? row.microcredits * (now / old) : now / MICROCREDIT);
}

function unitsOf(row: ChargeSeriesRow, pricing: Pricing): number {
  const { rows = [], ...base } = rateRowsOf(pricing, { at: row.at * HOUR_MS, region: undefined });
  const input = row.requests === 0 ? 0 : row.inputTokens / row.requests;
  const { input: fresh, cachedInput, output } = rowFor(rows, { input, tiers: [] })?.rates ?? base;
  return (
    (row.inputTokens - row.cachedInputTokens) * fresh +
    row.cachedInputTokens * cachedInput +
    row.outputTokens * output
  );
}
