import type { MeteredRow } from '../config/metered-schema.ts';

/** The price of an image. `null` means that the row is for every size or quality. */
export type ImagePrice = { size: string | null; quality: string | null; usd: number };

/** Prices of quantities other than tokens. `null` means that the model has no such price. */
export type MeteredPrices = {
  /** The first row that matches decides. The last row matches every image. */
  perImage: readonly ImagePrice[];
  perSecond: number | null;
  perMillionCharacters: number | null;
  per1000Documents: number | null;
  perRequest: number;
};

/** Converts the prices of a file. */
export const meteredPricesOf = (row: MeteredRow): MeteredPrices => ({
  perImage: (row.per_image ?? []).map(({ size = null, quality = null, usd }) => ({ size, quality, usd })),
  perSecond: row.per_second ?? null,
  perMillionCharacters: row.per_million_characters ?? null,
  per1000Documents: row.per_1000_documents ?? null,
  perRequest: row.per_request ?? 0,
});
