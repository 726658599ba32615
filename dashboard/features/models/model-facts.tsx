import { entriesOf } from '../../../src/base/lib/records.ts';
import type { ModelDetail, ModelRow } from '../../../src/console/dashboard/model-schema.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, numberColumn } from '../../components/columns.tsx';
import { formatPrice, formatTokens } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';

/** The names of capabilities, in the order of the filter. */
export const capabilityLabels: Readonly<Record<keyof ModelRow['capabilities'], string>> = {
  tools: 'Tools',
  reasoning: 'Reasoning',
  vision: 'Images',
  documents: 'Documents',
};

const priceDimensions = [
  ['input', 'Input'],
  ['cached_input', 'Cached input'],
  ['output', 'Output'],
] as const;

const meteredUnits = [
  ['per_second', 'Second of sound'],
  ['per_million_characters', 'Million characters'],
  ['per_1000_documents', '1,000 documents'],
  ['per_request', 'Request'],
] as const satisfies readonly (readonly [keyof Metered, string])[];

const capabilityNames = (capabilities: ModelRow['capabilities']): string[] =>
  entriesOf(capabilityLabels).flatMap(([name, label]) => (capabilities[name] ? label : []));

/** The capabilities of a model as badges. */
export const Capabilities = ({ model }: { model: { capabilities: ModelRow['capabilities'] } }) => {
  const found = capabilityNames(model.capabilities);
  if (found.length === 0) return <span class="soft">Text</span>;
  return (
    <span class="badges">
      {found.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
    </span>
  );
};

/** The actions of the organization on a model. */
export const Access = ({ model }: { model: ModelRow }) => (
  <span class="badges">
    {model.included ? (
      <Badge tone="good">Included</Badge>
    ) : (
      <Badge tone="warning">{unlockWords(model)}</Badge>
    )}
    {!model.available && <Badge tone="bad">Not available</Badge>}
    {model.simulated && <Badge tone="accent">Simulated</Badge>}
  </span>
);

const unlockWords = ({ unlocked_by }: ModelRow): string =>
  unlocked_by.id === 'payg' ? unlocked_by.name : `From ${unlocked_by.name}`;

/** An output limit of null is the rest of the window. */
export const outputWords = ({ max_output }: { max_output: ModelRow['max_output'] }): string =>
  max_output === null ? 'No separate limit' : `${formatTokens(max_output)} tokens`;

const hasOtherPrices = ({ prices, payg_prices }: ModelDetail): boolean =>
  priceDimensions.some(([name]) => prices[name] !== payg_prices[name]);

/** The kinds of models that can have prices without a price of tokens. */
const kindsWithoutTokens: ReadonlySet<ModelRow['kind']> = new Set(['speech', 'transcription', 'rerank']);

/** Reports whether tokens have a price. A price of 0 is one, unless other quantities are charged instead. */
export const hasTokenPrices = ({ kind, prices }: Pick<ModelRow, 'kind' | 'prices'>): boolean =>
  !kindsWithoutTokens.has(kind) || prices.input > 0 || prices.output > 0;

type Dimension = (typeof priceDimensions)[number];

/** The prices of each dimension, also of pay-as-you-go mode where they differ. */
export function Prices({ model }: { model: ModelDetail }) {
  const hasTwo = model.plan.id !== 'payg' && hasOtherPrices(model);
  const priceIn =
    (prices: ModelRow['prices']) =>
    ([name]: Dimension) =>
      formatPrice(prices[name] ?? prices.input);
  const columns: Column<Dimension>[] = [
    headerColumn('dimension', 'For a million tokens', ([, label]) => label),
    numberColumn('price', hasTwo ? 'With a plan' : 'Price', priceIn(model.prices)),
  ];
  if (hasTwo) columns.push(numberColumn('payg', 'Pay as you go', priceIn(model.payg_prices)));
  return (
    <Table
      caption="Prices in US dollars for a million tokens"
      columns={columns}
      rows={priceDimensions.filter(([name]) => model.kind !== 'embedding' || name === 'input')}
      rowKey={([name]) => name}
      sortParam="none"
      isNarrow
    />
  );
}

type Metered = NonNullable<ModelDetail['metered_usd']>;

const imageName = ({ size, quality }: NonNullable<Metered['per_image']>[number]): string =>
  ['Image', size, quality].filter((word) => word !== undefined).join(' ');

/** The prices of quantities other than tokens. */
export function MeteredPrices({ prices }: { prices: Metered }) {
  const rows = [
    ...(prices.per_image ?? []).map((image) => [imageName(image), image.usd] as const),
    ...meteredUnits.flatMap(([name, label]) =>
      prices[name] === undefined ? [] : [[label, prices[name]] as const],
    ),
  ];
  return (
    <Table
      caption="Prices in US dollars of quantities other than tokens"
      columns={meteredColumns}
      rows={rows}
      rowKey={([label]) => label}
      sortParam="none"
      isNarrow
    />
  );
}

const meteredColumns: readonly Column<readonly [label: string, usd: number]>[] = [
  headerColumn('unit', 'Unit', ([label]) => label),
  numberColumn('price', 'Price', ([, usd]) => formatPrice(usd)),
];
