import type { Static } from 'typebox';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { Type } from '../../base/schema/type.ts';
import type { ConfigProblem } from './config-problem.ts';
import { dateProblems } from './date-problems.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { replacedPriceProblems } from './price-problems.ts';
import { instant, ReplacedPricingSchema } from './price-schema.ts';
import { type CrossCheck, readDocument } from './read-document.ts';
import { mapping, nullable, row } from './schema-parts.ts';

const issuedAt = Type.Optional(
  instant(
    'Time at which the file was issued. While there are `catalog.price_keys`, a file older than the last one is refused.',
  ),
);

const PriceFileSchema = row(
  {
    source: nullable(Type.String(), { description: 'Source of the prices, as a note for readers.' }),
    issued_at: issuedAt,
    prices: mapping(namePatterns.modelName, ReplacedPricingSchema, {
      description: 'Prices by the id or an alias of a model.',
    }),
  },
  { description: 'A file of prices.' },
);

const PRICE_CHECKS: readonly CrossCheck<PriceFile>[] = [
  {
    section: 'prices',
    find: ({ prices }) => [...replacedPriceProblems(prices, ['prices']), ...placeholderProblems(prices)],
  },
  { section: 'issued_at', find: ({ issued_at }) => dateProblems(issued_at, ['issued_at']) },
];

export type PriceFile = DeepReadonly<Static<typeof PriceFileSchema>>;

/** Reads a file of prices, YAML or JSON, or returns all its problems. */
export function readPriceFile(file: string, text: string): PriceFile | { problems: ConfigProblem[] } {
  const document = readDocument({
    schema: PriceFileSchema,
    text,
    file,
    environment: null,
    crossChecks: PRICE_CHECKS,
  });
  return 'problems' in document ? document : document.value;
}

/**
 * Finds texts that would become a value of the environment or a file's content when the configuration is
 * read.
 */
function placeholderProblems(prices: PriceFile['prices']): SchemaProblem[] {
  const problemsIn = (value: unknown, path: SchemaProblem['path']): SchemaProblem[] => {
    if (typeof value === 'string')
      return value.includes('${') ? [{ path, message: 'must not have a placeholder' }] : [];
    if (typeof value !== 'object' || value === null) return [];
    const steps: [string | number, unknown][] = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value);
    return steps.flatMap(([step, inner]) => problemsIn(inner, [...path, step]));
  };
  return problemsIn(prices, ['prices']);
}
