import { keysOf } from '../../base/lib/records.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { isMetered, type MeteredKind } from '../../translation/canonical/model-kind.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import type { MeteredRow } from './metered-schema.ts';

type Path = (string | number)[];
type KindedRow = Pick<
  CatalogModelRow,
  'kind' | 'output_dimensions' | 'context_window' | 'pricing_usd_per_mtok' | 'metered_usd'
>;

/** Finds fields that a model of its kind lacks, and fields that are for models of other kinds. */
export const kindProblems = (row: KindedRow, path: Path): SchemaProblem[] => [
  ...missingFields(row, path),
  ...dimensionProblems(row, [...path, 'output_dimensions']),
  ...meteredProblems(row, [...path, 'metered_usd']),
];

const missingFields = (row: KindedRow, path: Path): SchemaProblem[] =>
  isMetered(row.kind)
    ? []
    : (['context_window', 'pricing_usd_per_mtok'] as const)
        .filter((name) => row[name] === null)
        .map((name) => ({ path: [...path, name], message: 'is required' }));

function dimensionProblems({ kind, output_dimensions: dimensions }: KindedRow, path: Path): SchemaProblem[] {
  if (kind === 'embedding' && dimensions === null)
    return [{ path, message: 'is required for an embedding model' }];
  if (kind === 'embedding' || dimensions === null) return [];
  return [{ path, message: `is only for embedding models; this model is of kind ${kind}` }];
}

/** The prices that models of each kind can have. Each kind can have a price per request too. */
const pricesOf: Readonly<Record<MeteredKind, readonly (keyof MeteredRow)[]>> = {
  image: ['per_image'],
  speech: ['per_million_characters', 'per_second'],
  transcription: ['per_second'],
  rerank: ['per_1000_documents'],
  moderation: [],
};

function meteredProblems({ kind, metered_usd: prices }: KindedRow, path: Path): SchemaProblem[] {
  if (prices === null) return [];
  if (!isMetered(kind)) return [{ path, message: `is not for models of kind ${kind}` }];
  const allowed = pricesOf[kind];
  const foreign = keysOf(prices)
    .filter((name) => name !== 'per_request' && !allowed.includes(name))
    .map((name) => ({ path: [...path, name], message: `is not for models of kind ${kind}` }));
  return [...foreign, ...imageProblems(prices, [...path, 'per_image'])];
}

/** The first row that matches decides, so a row without a condition ends the list. */
function imageProblems({ per_image: rows }: MeteredRow, path: Path): SchemaProblem[] {
  if (rows === undefined) return [];
  const first = rows.findIndex(({ size, quality }) => size === undefined && quality === undefined);
  if (first === rows.length - 1) return [];
  return first < 0
    ? [
        {
          path: [...path, rows.length - 1],
          message: 'must have neither size nor quality, because it is the last row',
        },
      ]
    : [
        {
          path: [...path, first + 1],
          message: `is never used, because the row at position ${first} has neither size nor quality`,
        },
      ];
}
