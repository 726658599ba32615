import { BASE_ROW } from '../../../money/ledger/rate-row.ts';
import type { Catalog } from '../../../settings/catalog/catalog.ts';
import type { Model } from '../../../settings/catalog/model.ts';
import { pricingOf } from '../../../settings/catalog/model-of-row.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import type { PriceRow } from '../../../settings/config/price-schema.ts';
import type { PriceFile } from '../../../settings/config/read-price-file.ts';
import { CommandFailure } from '../command-failure.ts';
import { type PriceChange, priceChanges } from './price-changes.ts';

/** The changes of a configuration that a price file asks for. */
export type PriceUpdate = {
  changes: PriceChange[];
  /** The prices to write, by the name that the configuration has for the model. */
  rows: Map<string, PriceRow>;
  /** The ids of the models with other prices. */
  models: Set<string>;
  /** The names in the file that no model has. */
  skipped: string[];
  /** The time of issue to write. Undefined if it stays as it is. */
  issuedAt: string | undefined;
};

type Current = { catalog: Catalog; config: Config };

/** Compares the prices of a file with the prices of the catalog. */
export function planUpdate({ prices, issued_at }: PriceFile, { catalog, config }: Current): PriceUpdate {
  const changes: PriceChange[] = [];
  const rows = new Map<string, PriceRow>();
  const skipped: string[] = [];
  const namesById = new Map<string, string>();
  for (const [name, row] of Object.entries(prices)) {
    const model = catalog.find(name)?.model;
    if (!model) {
      skipped.push(name);
      continue;
    }
    const earlierName = namesById.get(model.id);
    if (earlierName !== undefined)
      throw new CommandFailure(`${earlierName} and ${name} are names of one model`);
    namesById.set(model.id, name);
    const rowChanges = [
      ...priceChanges(model.id, model.pricing, pricingOf(row)),
      ...confirmation(model, row),
    ];
    if (rowChanges.length > 0) rows.set(nameIn(config, { catalog, model }), row);
    changes.push(...rowChanges);
  }
  const isIssueKept = changes.length === 0 && !needsIssue(issued_at, config);
  const issuedAt = isIssueKept ? undefined : issued_at;
  return { changes, rows, models: new Set(changes.map(({ model }) => model)), skipped, issuedAt };
}

/**
 * While there are keys, the time of each file counts, even if it changes no price. Otherwise an older file
 * could follow.
 */
const needsIssue = (
  issuedAt: string | undefined,
  { catalog: { price_keys: keys, prices_issued_at: last } }: Config,
): boolean => keys.length > 0 && issuedAt !== (last ?? undefined);

/** `catalog.prices` may name the model by an alias. The last of several names counts. */
const nameIn = (
  { catalog: { prices } }: Config,
  { catalog, model }: { catalog: Catalog; model: Model },
): string => Object.keys(prices).findLast((name) => catalog.find(name)?.model.id === model.id) ?? model.id;

/** A price that stays as it is can be confirmed. */
function confirmation({ id, confirmations }: Model, { confirmed_at: to }: PriceRow): PriceChange[] {
  const from = confirmations.find(({ row }) => row === BASE_ROW)?.at ?? null;
  return to === undefined || to === from
    ? []
    : [{ model: id, row: BASE_ROW, field: 'confirmed_at', from, to }];
}
