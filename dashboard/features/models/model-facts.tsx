import type { ModelDetail, ModelRow } from '../../../src/console/dashboard/model-schema.ts';
import { Badge } from '../../components/badge.tsx';
import { formatPrice, formatTokens } from '../../components/format.ts';

type Priced = Pick<ModelRow, 'prices' | 'payg_prices'>;

export const capabilityLabels = {
  tools: 'Tools',
  reasoning: 'Reasoning',
  vision: 'Images',
  documents: 'Documents',
} as const satisfies Record<keyof ModelRow['capabilities'], string>;

export const capabilitiesOf = ({ capabilities }: Pick<ModelRow, 'capabilities'>): string[] =>
  Object.entries(capabilityLabels)
    .filter(([name]) => capabilities[name as keyof ModelRow['capabilities']])
    .map(([, label]) => label);

export const Capabilities = ({ of: model }: { of: Pick<ModelRow, 'capabilities'> }) => {
  const found = capabilitiesOf(model);
  if (found.length === 0) return <span class="soft">Text</span>;
  return (
    <span class="badges">
      {found.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
    </span>
  );
};

/** What the organization can do with a model. */
export const Access = ({ of: model }: { of: ModelRow }) => (
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
export const outputWords = ({ max_output }: Pick<ModelRow, 'max_output'>): string =>
  max_output === null ? 'No separate limit' : `${formatTokens(max_output)} tokens`;

const dimensions = [
  ['input', 'Input'],
  ['cached_input', 'Cached input'],
  ['output', 'Output'],
] as const;

const hasOtherPrices = ({ prices, payg_prices }: Priced): boolean =>
  dimensions.some(([name]) => prices[name] !== payg_prices[name]);

/** The prices of each dimension, also of pay-as-you-go mode where they differ. */
export function Prices({ of: model }: { of: ModelDetail }) {
  const hasTwo = model.plan.id !== 'payg' && hasOtherPrices(model);
  const priceOf = (price: number | null, input: number) =>
    price === null ? formatPrice(input) : formatPrice(price);
  return (
    <section class="table-scroll" aria-label="Prices of the model">
      <table class="table">
        <caption class="hidden">Prices in US dollars for a million tokens</caption>
        <thead>
          <tr>
            <th scope="col">For a million tokens</th>
            <th scope="col" class="number">
              {hasTwo ? 'With a plan' : 'Price'}
            </th>
            {hasTwo && (
              <th scope="col" class="number">
                Pay as you go
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {dimensions
            .filter(([name]) => model.kind !== 'embedding' || name === 'input')
            .map(([name, label]) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td class="number">{priceOf(model.prices[name], model.prices.input)}</td>
                {hasTwo && (
                  <td class="number">{priceOf(model.payg_prices[name], model.payg_prices.input)}</td>
                )}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

type Metered = NonNullable<ModelDetail['metered_usd']>;

const units = [
  ['per_second', 'Second of sound'],
  ['per_million_characters', 'Million characters'],
  ['per_1000_documents', '1,000 documents'],
  ['per_request', 'Request'],
] as const satisfies readonly (readonly [keyof Metered, string])[];

const imageName = ({ size, quality }: NonNullable<Metered['per_image']>[number]): string =>
  ['Image', size, quality].filter((word) => word !== undefined).join(' ');

/** The prices of quantities other than tokens. */
export function MeteredPrices({ of: prices }: { of: Metered }) {
  const rows = [
    ...(prices.per_image ?? []).map((image) => [imageName(image), image.usd] as const),
    ...units.flatMap(([name, label]) => (prices[name] === undefined ? [] : [[label, prices[name]] as const])),
  ];
  return (
    <section class="table-scroll" aria-label="Prices of other quantities">
      <table class="table">
        <caption class="hidden">Prices in US dollars of quantities other than tokens</caption>
        <thead>
          <tr>
            <th scope="col">Unit</th>
            <th scope="col" class="number">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, usd]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{formatPrice(usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
