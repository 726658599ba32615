import { isoTime } from '../../../base/lib/iso-time.ts';
import type { Catalog } from '../../../settings/catalog/catalog.ts';
import type { Pricing } from '../../../settings/catalog/model.ts';
import { unconfirmedRows } from '../../../settings/catalog/price-confirmations.ts';

/** The members of a row that bound its time. */
const bounds = ['from', 'until'] as const;

/** A price row that was not confirmed for 90 days. `confirmed_at` is `null` if it never was. */
type Unconfirmed = { model: string; row: string; confirmed_at: string | null };
/** A row that begins or ceases to apply. */
type Ahead = { at: string; model: string; row: string; change: (typeof bounds)[number] };

export type PriceReport = { unconfirmed: Unconfirmed[]; ahead: Ahead[] };

/** Reports unconfirmed prices, and prices that change at a known time. */
export function priceReport({ entries }: Catalog, now: number): PriceReport {
  const unconfirmed = entries.flatMap(({ model }) =>
    unconfirmedRows(model.confirmations, now).map(({ row, at }) => ({
      model: model.id,
      row,
      confirmed_at: at,
    })),
  );
  const ahead = entries.flatMap(({ model }) =>
    [model.pricing, model.paygPricing, model.nativeBatchPricing].flatMap((pricing) =>
      pricing ? changesAhead(model.id, pricing, now) : [],
    ),
  );
  return { unconfirmed, ahead: ahead.toSorted((left, right) => left.at.localeCompare(right.at)) };
}

const changesAhead = (model: string, { conditions = [] }: Pricing, now: number): Ahead[] =>
  conditions.flatMap((condition) =>
    bounds.flatMap((change) => {
      const time = condition[change];
      if (time === null || time <= now) return [];
      return [{ at: isoTime(time), model, row: condition.name, change }];
    }),
  );

export const unconfirmedLine = ({ model, row, confirmed_at: at }: Unconfirmed): string =>
  at === null
    ? `${model}: the price row ${row} is not confirmed`
    : `${model}: the price row ${row} was last confirmed on ${at}, more than 90 days ago`;

export const aheadLine = ({ at, model, row, change }: Ahead): string =>
  `${at} ${model}: the price row ${row} ${change === 'from' ? 'begins' : 'ends'}`;
