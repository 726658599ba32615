import { realpath, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pricingOf } from '../../../settings/catalog/model-of-row.ts';
import { replaceFile, writeNew } from '../../../settings/config/replace-file.ts';
import { type NewPrices, withPrices } from '../../../settings/config/with-prices.ts';
import { checkConfiguration } from '../check-configuration.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Terminal } from '../terminal.ts';
import { priceChanges } from './price-changes.ts';

type PriceWrite = {
  /** The configuration file. */
  file: string;
  /** The text that the changes were computed from. */
  original: string;
  prices: NewPrices;
  environment: Terminal['environment'];
};

/**
 * Writes prices to a configuration file. The new text is checked as a start would read it, before it replaces
 * the original one.
 */
export async function writePrices({ file, original, prices, environment }: PriceWrite): Promise<void> {
  const text = withPrices(original, prices);
  if (text === undefined || !(await hasPrices(text, prices.rows, environment)))
    throw new CommandFailure(`${file} cannot be extended by this command; write catalog.prices yourself`);
  if (!(await replaceFile(await realpath(file), { from: original, to: text })))
    throw new CommandFailure(`${file} was changed meanwhile; repeat the command`);
}

async function hasPrices(
  text: string,
  rows: NewPrices['rows'],
  environment: PriceWrite['environment'],
): Promise<boolean> {
  const draft = join(tmpdir(), `tollgate-prices-${crypto.randomUUID()}.yaml`);
  await writeNew(draft, text, 0o600);
  try {
    const { catalog } = await checkConfiguration({ file: draft, environment });
    return [...rows].every(([id, row]) => {
      const pricing = catalog?.find(id)?.model.pricing;
      return pricing !== undefined && priceChanges(id, pricing, pricingOf(row)).length === 0;
    });
  } finally {
    await unlink(draft);
  }
}
