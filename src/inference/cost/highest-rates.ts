import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import {
  factorPrices,
  fasterTiers,
  type PriceName,
  type TokenPrice,
} from '../../translation/canonical/price-name.ts';
import type { AskedExtras } from '../../translation/contract/inference-request.ts';

export type RatesQuestion = {
  rates: Rates;
  extras: ExtraRates;
  body: { value: Readonly<Record<string, unknown>>; text?: string | undefined };
  asked: AskedExtras | undefined;
};

/** Returns the highest rates that the tokens of a request can have. */
export function highestRates({ rates, extras: { units, factors }, body, asked }: RatesQuestion): Rates {
  const priced = asked?.priced ?? [];
  if (priced.length === 0 && isEmpty(units)) return rates;
  const factor = highestFactor(factors, priced);
  const highest = (own: number, names: readonly TokenPrice[]): number =>
    Math.ceil(Math.max(own, ...names.map((name) => units[name] ?? 0)) * factor);
  return {
    input: highest(rates.input, inputPrices(priced, units.audio_input === undefined ? undefined : body)),
    cachedInput: highest(rates.cachedInput, []),
    output: highest(rates.output, priced.includes('audio_output') ? ['audio_output'] : []),
  };
}

/** The answer can name a faster tier by its other name, and then has the factor of that name. */
function highestFactor(factors: ExtraRates['factors'], priced: readonly PriceName[]): number {
  const isFaster = fasterTiers.some((name) => priced.includes(name));
  const faster = isFaster ? fasterTiers.map((name) => factors[name] ?? 1) : [];
  return factorPrices
    .filter((name) => priced.includes(name) && !fasterTiers.includes(name))
    .reduce((product, name) => product * Math.max(1, factors[name] ?? 1), Math.max(1, ...faster));
}

function isEmpty(units: ExtraRates['units']): boolean {
  for (const _ in units) return false;
  return true;
}

/** Some vendors cache prompts without being asked. Longer lifetimes and audio are in the request. */
const inputPrices = (
  priced: AskedExtras['priced'],
  requestWithSound: RatesQuestion['body'] | undefined,
): readonly TokenPrice[] => [
  ...(['cache_write_5m', 'cache_write_30m'] as const),
  ...(['cache_write_1h', 'cache_write_12h'] as const).filter((name) => priced.includes(name)),
  ...(['image_input'] as const).filter((name) => priced.includes(name)),
  ...((requestWithSound && mayHoldAudio(requestWithSound)) || priced.includes('audio_input')
    ? (['audio_input'] as const)
    : []),
];

const mayHoldAudio = ({ text, value }: RatesQuestion['body']): boolean =>
  (text ?? JSON.stringify(value)).includes('audio');
