import { keysOf } from '../../base/lib/records.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { isMetered, type MeteredKind } from '../../translation/canonical/model-kind.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import type { MeteredRow } from './metered-schema.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

type KindedRow = Pick<
  CatalogModelRow,
  'kind' | 'output_dimensions' | 'context_window' | 'pricing_usd_per_mtok' | 'metered_usd'
>;

/** Finds fields that a model of its kind lacks, and fields that are for models of other kinds. */
export const kindProblems = (row: KindedRow, path: ProblemPath): SchemaProblem[] => [
  ...missingFields(row, path),
  ...dimensionProblems(row, [...path, 'output_dimensions']),
  ...meteredProblems(row, [...path, 'metered_usd']),
];

const missingFields = (row: KindedRow, path: ProblemPath): SchemaProblem[] =>
  (['context_window', 'pricing_usd_per_mtok'] as const).flatMap((name) =>
    problemIf(!isMetered(row.kind) && row[name] === null, [...path, name], 'is required'),
  );

const dimensionProblems = (
  { kind, output_dimensions: dimensions }: KindedRow,
  path: ProblemPath,
): SchemaProblem[] =>
  kind === 'embedding'
    ? problemIf(dimensions === null, path, 'is required for an embedding model')
    : problemIf(dimensions !== null, path, `is only for embedding models; this model is of kind ${kind}`);

/** The prices that models of each kind can have. Each kind can have a price per request too. */
const pricesOf: Readonly<Record<MeteredKind, readonly (keyof MeteredRow)[]>> = {
  image: ['per_image'],
  speech: ['per_million_characters', 'per_second'],
  transcription: ['per_second'],
  rerank: ['per_1000_documents'],
  moderation: [],
};

function meteredProblems({ kind, metered_usd: prices }: KindedRow, path: ProblemPath): SchemaProblem[] {
  if (prices === null) return [];
  if (!isMetered(kind)) return [{ path, message: `is not for models of kind ${kind}` }];
  const allowedPrices: readonly (keyof MeteredRow)[] = [...pricesOf[kind], 'per_request'];
  return [
    ...keysOf(prices).flatMap((name) =>
      problemIf(!allowedPrices.includes(name), [...path, name], `is not for models of kind ${kind}`),
    ),
    ...imageProblems(prices, [...path, 'per_image']),
  ];
}

/** The first row that matches decides, so a row without a condition ends the list. */
function imageProblems({ per_image: rows = [] }: MeteredRow, path: ProblemPath): SchemaProblem[] {
  if (rows.length === 0) return [];
  const last = rows.length - 1;
  const endOfList = rows.findIndex(({ size, quality }) => size === undefined && quality === undefined);
  if (endOfList < 0) {
    const message = 'must have neither size nor quality, because it is the last row';
    return [{ path: [...path, last], message }];
  }
  const message = `is never used, because the row at position ${endOfList} has neither size nor quality`;
  return problemIf(endOfList < last, [...path, endOfList + 1], message);
}
