import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import type { Config } from './config-schema.ts';
import { connectionParameters } from './connection-parameters.ts';
import { pricingFields } from './pricing-fields.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';
import type { ProviderRow } from './provider-schema.ts';

/** The gateway appends the path of the protocol, so an address that has it already leads nowhere. */
const ENDPOINT =
  /\/(chat\/completions|completions|embeddings|messages|responses|models|[^/]+:generateContent|converse)\/*$/;

/** The cheapest models cost more. A lower price is usually meant for one token. */
const MIN_PRICE_USD = 0.001;

/** Finds settings of a valid configuration that are probably unintended. */
export const findWarnings = ({ providers, catalog, store }: Config): SchemaProblem[] => [
  ...storeWarnings(store),
  ...providers.flatMap((row, index) => providerWarnings(row, ['providers', index])),
  ...catalog.models.flatMap((row, index) => modelWarnings(row, ['catalog', 'models', index])),
];

const storeWarnings = (store: Config['store']): SchemaProblem[] =>
  (['database_url', 'listen_url'] as const).flatMap((field) =>
    connectionParameters(store[field] ?? '').ignored.map((name) => ({
      path: ['store', field],
      message: `has the parameter ${name}, which has no effect; remove it`,
    })),
  );

function providerWarnings({ base_url }: ProviderRow, path: ProblemPath): SchemaProblem[] {
  const endpoint = ENDPOINT.exec(URL.parse(base_url ?? '')?.pathname ?? '')?.[0].replace(/\/+$/, '');
  const message = `ends with ${endpoint}, which the gateway appends itself; remove it`;
  return problemIf(endpoint !== undefined, [...path, 'base_url'], message);
}

function modelWarnings(row: CatalogModelRow, path: ProblemPath): SchemaProblem[] {
  const { routes, max_output, context_window, capabilities, reasoning_efforts } = row;
  return [
    ...problemIf(
      routes.length === 0,
      [...path, 'routes'],
      'is empty, so requests for the model are refused; add a route',
    ),
    ...problemIf(
      max_output !== null && context_window !== null && max_output > context_window,
      [...path, 'max_output'],
      `is ${max_output} tokens, more than the context_window of ${context_window} tokens`,
    ),
    ...problemIf(
      capabilities.reasoning && reasoning_efforts.length === 0,
      [...path, 'reasoning_efforts'],
      'is empty although the model reasons, so clients cannot choose an effort',
    ),
    ...pricingFields.flatMap((name) => priceWarnings(row[name], [...path, name])),
  ];
}

type PricesOfWay = CatalogModelRow['pricing_usd_per_mtok'];

/** Finds prices of a row and of its conditions that look like the price of one token. */
function priceWarnings(prices: PricesOfWay, path: ProblemPath): SchemaProblem[] {
  if (prices === null) return [];
  const { conditions = [], ...base } = prices;
  return [
    ...lowPrices(base, path),
    ...conditions.flatMap((condition, index) => lowPrices(condition, [...path, 'conditions', index])),
  ];
}

type ThreePrices = { input?: number; output?: number; cached_input?: number | null };

const lowPrices = (prices: ThreePrices, path: ProblemPath): SchemaProblem[] =>
  (['input', 'output', 'cached_input'] as const).flatMap((field) => {
    const price = prices[field] ?? 0;
    const message = `is ${price} USD per million tokens, which looks like the price of one token; multiply it by 1000000`;
    return problemIf(price > 0 && price < MIN_PRICE_USD, [...path, field], message);
  });
