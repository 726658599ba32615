import { pricingOf } from '../../../src/settings/catalog/model-of-row.ts';
import type { Prices } from '../../../src/settings/catalog/price-condition.ts';
import { readDefaultCatalog } from '../../../src/settings/catalog/read-default-catalog.ts';
import type { CatalogModelRow } from '../../../src/settings/config/catalog-schema.ts';
import type { PriceConditionRow } from '../../../src/settings/config/price-schema.ts';
import { isMetered } from '../../../src/translation/canonical/model-kind.ts';
import type { GeneratedParts } from './fill-generated.ts';
import { code, NO_VALUE, table } from './markdown.ts';

const ALL_DAYS = 7;

const hoursWords = ({ hours = [] }: PriceConditionRow): string[] =>
  hours.map(
    ({ days, from, to }) => `${days.length === ALL_DAYS ? '' : `${days.join(' ')} `}${from}–${to} UTC`,
  );

function conditionWords(row: PriceConditionRow): string {
  const hours = hoursWords(row).join(' or ');
  return [
    row.above_input_tokens !== undefined &&
      `above ${row.above_input_tokens.toLocaleString('en')} input tokens`,
    hours,
    row.from !== undefined && `from ${row.from}`,
    row.until !== undefined && `until ${row.until}`,
    row.tier !== undefined && `tier ${code(row.tier)}`,
    row.region !== undefined && `region ${code(row.region)}`,
  ]
    .filter((words) => words)
    .join(', ');
}

const cells = ({ input, cachedInput, output }: Prices): string[] => [
  String(input),
  cachedInput === null ? NO_VALUE : String(cachedInput),
  String(output),
];

const sourceCell = (source: string | null | undefined): string => (source ? `[source](${source})` : NO_VALUE);

const tokenPrices = ({ pricing_usd_per_mtok: prices }: CatalogModelRow) =>
  prices ?? { input: 0, output: 0, cached_input: null };

function rowsOf(model: CatalogModelRow): string[][] {
  const pricing = pricingOf(tokenPrices(model));
  const conditions = tokenPrices(model).conditions ?? [];
  return [
    [
      code(model.id),
      'base',
      '',
      ...cells(pricing),
      model.confirmed_at ?? 'not confirmed',
      sourceCell(model.source),
    ],
    ...conditions.map((row, index) => [
      '',
      code(row.name),
      conditionWords(row),
      ...cells(pricing.conditions![index]!),
      row.confirmed_at ?? 'not confirmed',
      sourceCell(row.source),
    ]),
  ];
}

const perUnit = {
  per_second: 'per second',
  per_million_characters: 'per million characters',
  per_1000_documents: 'per 1,000 documents',
  per_request: 'per request',
} as const;

/** Returns the prices of a metered model, in words. */
function meteredWords({
  pricing_usd_per_mtok: tokens,
  metered_usd: prices,
  extras_usd: extras,
}: CatalogModelRow): string {
  const images = prices?.per_image ?? [];
  const units = (Object.keys(perUnit) as (keyof typeof perUnit)[]).filter(
    (name) => prices?.[name] !== undefined,
  );
  const words = [
    ...images.map(({ size, quality, usd }) =>
      `${usd} per image ${[size, quality].filter((word) => word).join(' ')}`.trim(),
    ),
    ...units.map((name) => `${prices![name]} ${perUnit[name]}`),
    ...(tokens
      ? [
          `${tokens.input} per million input tokens`,
          ...(tokens.cached_input === null ? [] : [`${tokens.cached_input} cached`]),
          ...(extras.image_input === undefined ? [] : [`${extras.image_input} of images`]),
          `${tokens.output} per million output tokens`,
        ]
      : []),
  ];
  return words.join(', ') || 'free';
}

const meteredRow = (model: CatalogModelRow): string[] => [
  code(model.id),
  model.kind,
  meteredWords(model),
  model.confirmed_at ?? 'not confirmed',
  sourceCell(model.source),
];

const priceHeads = ['input', 'cached input', 'output', 'confirmed', 'source'];
const { models } = readDefaultCatalog();
const hasConditions = ({ pricing_usd_per_mtok: prices }: CatalogModelRow): boolean =>
  prices?.conditions !== undefined;

/** The tables of docs/prices.md. */
export const priceParts: GeneratedParts = {
  conditional: () =>
    table(['model', 'row', 'condition', ...priceHeads], models.filter(hasConditions).flatMap(rowsOf)),
  others: () => {
    const others = models.filter((model) => !hasConditions(model) && !isMetered(model.kind));
    const rows = others
      .flatMap(rowsOf)
      .map(([model = '', _row, _condition, ...prices]) => [model, ...prices]);
    return table(['model', ...priceHeads], rows);
  },
  metered: () =>
    table(
      ['model', 'kind', 'prices in US dollars', 'confirmed', 'source'],
      models.filter(({ kind }) => isMetered(kind)).map(meteredRow),
    ),
};
