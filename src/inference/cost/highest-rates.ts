import { isEmptyObject } from '../../base/lib/is-empty-object.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import {
  factorPriceNames,
  fasterTiers,
  type PriceName,
  type TokenPrice,
} from '../../translation/canonical/price-name.ts';
import type { AskedExtras } from '../../translation/contract/inference-request.ts';

/** The prices of a model, and what a request asks for beyond tokens. */
export type RatesQuestion = {
  rates: Rates;
  extras: ExtraRates;
  body: { value: Readonly<Record<string, unknown>>; text?: string | undefined };
  asked: AskedExtras | undefined;
};

/** Prices of input tokens that can apply to every request, since some vendors cache without being asked. */
const UNASKED_INPUT: readonly TokenPrice[] = ['cache_write_5m', 'cache_write_30m'];

/** The prices of input tokens that apply only to what the request has or asks for. */
const ASKED_INPUT: readonly TokenPrice[] = [
  'cache_write_1h',
  'cache_write_12h',
  'image_input',
  'audio_input',
];

/** Returns the highest rates that the tokens of a request can have. */
export function highestRates({ rates, extras: { units, factors }, body, asked }: RatesQuestion): Rates {
  const priced = asked?.priced ?? [];
  if (priced.length === 0 && isEmptyObject(units)) return rates;
  const factor = highestFactor(factors, priced);
  const highest = (own: number, names: readonly TokenPrice[]): number =>
    Math.ceil(Math.max(own, ...names.map((name) => units[name] ?? 0)) * factor);
  const mayBeAsked = (name: TokenPrice): boolean =>
    priced.includes(name) || (name === 'audio_input' && units[name] !== undefined && mayHoldAudio(body));
  return {
    input: highest(rates.input, [...UNASKED_INPUT, ...ASKED_INPUT.filter(mayBeAsked)]),
    cachedInput: highest(rates.cachedInput, []),
    output: highest(rates.output, priced.includes('audio_output') ? ['audio_output'] : []),
  };
}

/** Reports whether a request may have sound. Members and media types of sound have `audio` in their names. */
const mayHoldAudio = ({ text, value }: RatesQuestion['body']): boolean =>
  (text ?? JSON.stringify(value)).includes('audio');

/** The answer can name a faster tier by its other name, and then has the factor of that name. */
function highestFactor(factors: ExtraRates['factors'], priced: readonly PriceName[]): number {
  const isFaster = fasterTiers.some((name) => priced.includes(name));
  const faster = isFaster ? fasterTiers.map((name) => factors[name] ?? 1) : [];
  return factorPriceNames
    .filter((name) => priced.includes(name) && !fasterTiers.includes(name))
    .reduce((product, name) => product * Math.max(1, factors[name] ?? 1), Math.max(1, ...faster));
}
