import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import type { Config } from './config-schema.ts';
import { connectionParameters } from './connection-parameters.ts';
import type { ProviderRow } from './provider-schema.ts';

type Path = (string | number)[];
type ConfigWarning = { path: Path; message: string };

/** The gateway appends the path of the protocol, so an address that has it already leads nowhere. */
const ENDPOINT =
  /\/(chat\/completions|completions|embeddings|messages|responses|models|[^/]+:generateContent|converse)\/*$/;

/** The cheapest models cost more. A lower price is usually meant for one token. */
const MIN_PRICE_USD = 0.001;

function ofProvider({ base_url }: ProviderRow): ConfigWarning[] {
  const path = URL.parse(base_url ?? '')?.pathname ?? '';
  const endpoint = ENDPOINT.exec(path)?.[0].replace(/\/+$/, '');
  if (endpoint === undefined) return [];
  return [
    { path: ['base_url'], message: `ends with ${endpoint}, which the gateway appends itself; remove it` },
  ];
}

const PRICES = [
  'pricing_usd_per_mtok',
  'payg_pricing_usd_per_mtok',
  'native_batch_pricing_usd_per_mtok',
] as const;

/** Lists the prices of a row and of its conditions. */
function pricesIn(row: CatalogModelRow[(typeof PRICES)[number]]): [path: Path, price: number][] {
  if (row === null) return [];
  const { conditions = [], ...base } = row;
  const threeOf = (prices: { input?: number; output?: number; cached_input?: number | null }) =>
    (['input', 'output', 'cached_input'] as const).flatMap((field): [string, number][] =>
      prices[field] == null ? [] : [[field, prices[field]]],
    );
  return [
    ...threeOf(base).map(([field, price]): [Path, number] => [[field], price]),
    ...conditions.flatMap((condition, index) =>
      threeOf(condition).map(([field, price]): [Path, number] => [['conditions', index, field], price]),
    ),
  ];
}

function ofPrices(row: CatalogModelRow): ConfigWarning[] {
  return PRICES.flatMap((name) =>
    pricesIn(row[name]).flatMap(([path, price]): ConfigWarning[] => {
      if (price <= 0 || price >= MIN_PRICE_USD) return [];
      const message = `is ${price} USD per million tokens, which looks like the price of one token; multiply it by 1000000`;
      return [{ path: [name, ...path], message }];
    }),
  );
}

function ofModel(row: CatalogModelRow): ConfigWarning[] {
  const { routes, max_output, context_window, capabilities, reasoning_efforts } = row;
  const isUnnamed = capabilities.reasoning && reasoning_efforts.length === 0;
  return [
    ...(routes.length === 0
      ? [{ path: ['routes'], message: 'is empty, so requests for the model are refused; add a route' }]
      : []),
    ...(max_output !== null && context_window !== null && max_output > context_window
      ? [
          {
            path: ['max_output'],
            message: `is ${max_output} tokens, more than the context_window of ${context_window} tokens`,
          },
        ]
      : []),
    ...(isUnnamed
      ? [
          {
            path: ['reasoning_efforts'],
            message: 'is empty although the model reasons, so clients cannot choose an effort',
          },
        ]
      : []),
    ...ofPrices(row),
  ];
}

function ofStore(store: Config['store']): ConfigWarning[] {
  return (['database_url', 'listen_url'] as const).flatMap((field) =>
    connectionParameters(store[field] ?? '').ignored.map((name) => ({
      path: [field],
      message: `has the parameter ${name}, which has no effect; remove it`,
    })),
  );
}

const under =
  (...path: Path) =>
  (found: ConfigWarning): SchemaProblem => ({ path: [...path, ...found.path], message: found.message });

/** Finds settings of a valid configuration that are probably unintended. */
export const findWarnings = ({
  providers,
  catalog,
  store,
}: Pick<Config, 'providers' | 'catalog' | 'store'>): SchemaProblem[] => [
  ...ofStore(store).map(under('store')),
  ...providers.flatMap((row, index) => ofProvider(row).map(under('providers', index))),
  ...catalog.models.flatMap((row, index) => ofModel(row).map(under('catalog', 'models', index))),
];
