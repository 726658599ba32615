import { type ChargedTokens, costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import { scaledExtras } from '../../money/ledger/extra-rates.ts';
import {
  BASE_ROW,
  isCheapTier,
  possibleRows,
  type RateRow,
  type RatesInRows,
} from '../../money/ledger/rate-row.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import { REGION } from '../../money/ledger/served-way.ts';
import {
  type FactorPrice,
  factorPriceNames,
  fasterTiers,
  type PriceName,
} from '../../translation/canonical/price-name.ts';
import { highestRates, type RatesQuestion } from './highest-rates.ts';

/** Rates that an answer can have if its input is larger than `aboveInput`. */
export type RateChoice = Rates & { row: string; aboveInput?: number | null };

/** The rates that an answer can have: one, unless the model's prices have conditions. */
export type RateChoices = readonly RateChoice[];

/** Tokens whose cached part is not known. */
export type UncachedTokens = Omit<ChargedTokens, 'cachedInput'>;

export type ChoicesQuestion = Omit<RatesQuestion, 'rates'> & { rates: RatesInRows };

/**
 * Lists the rates that a request leaves possible: every row that its time, region and tier let decide, at the
 * highest factors.
 */
export function rateChoices(question: ChoicesQuestion): RateChoices {
  const { rates } = question;
  const { rows } = rates;
  if (rows === undefined) {
    const { input, cachedInput, output } = highestRates(question);
    return [{ input, cachedInput, output, row: BASE_ROW }];
  }
  return tierCases(rates, question).flatMap((tiers) =>
    possibleRows(rows, { input: Number.POSITIVE_INFINITY, tiers }).map((row) =>
      choiceOf(question, row, tiers),
    ),
  );
}

/**
 * Returns the tiers that the answer can be billed in: the default one, those that the request asked for, and
 * cheaper ones.
 */
function tierCases(
  rates: RatesInRows,
  { asked, extras: { factors } }: Pick<ChoicesQuestion, 'asked' | 'extras'>,
): (readonly FactorPrice[])[] {
  const priced: readonly PriceName[] = asked?.priced ?? [];
  const tiers = factorPriceNames.filter((name) => name !== REGION);
  const isKnown = (name: FactorPrice): boolean =>
    factors[name] !== undefined || (rates.rows?.some(({ tier }) => tier === name) ?? false);
  const cheap = tiers.filter(
    (name) => isKnown(name) && (factors[name] ?? 1) <= 1 && isCheapTier(rates, [name]),
  );
  const wanted = tiers.filter((name) => priced.includes(name));
  return [[], ...wanted.flatMap(namesOfTier), ...cheap.map((name) => [name])];
}

/**
 * The answer can name a faster tier by either of its names, or by none. The first name with a factor decides
 * the factor.
 */
const namesOfTier = (tier: FactorPrice): (readonly FactorPrice[])[] =>
  fasterTiers.includes(tier)
    ? fasterTiers.filter((name) => name !== tier).flatMap((other) => [[tier], [other, tier], [tier, other]])
    : [[tier]];

function choiceOf(
  { rates, extras, asked, body }: ChoicesQuestion,
  row: RateRow | undefined,
  tiers: readonly FactorPrice[],
): RateChoice {
  const factor = factorOf(row, { tiers, extras, asked });
  const times = (rate: number): number => Math.ceil(rate * factor);
  const unmultiplied = row?.rates ?? rates;
  const { input, cachedInput, output } = highestRates({
    rates: {
      input: times(unmultiplied.input),
      cachedInput: times(unmultiplied.cachedInput),
      output: times(unmultiplied.output),
    },
    // The factors are rounded in the same steps as in a charge.
    extras: scaledExtras(
      scaledExtras({ units: extras.units, factors: {} }, bothBy(row?.factor ?? 1)),
      bothBy(factor),
    ),
    asked,
    body,
  });
  return { input, cachedInput, output, row: row?.name ?? BASE_ROW, aboveInput: row?.aboveInput ?? null };
}

const bothBy = (factor: number) => ({ input: factor, output: factor });

/** A row with a tier or a region is the whole price of that tier or region. */
function factorOf(
  row: RateRow | undefined,
  {
    tiers,
    extras: { factors },
    asked,
  }: { tiers: readonly FactorPrice[] } & Pick<ChoicesQuestion, 'extras' | 'asked'>,
): number {
  const tierFactor = tiers.map((name) => factors[name]).find((factor) => factor !== undefined);
  const ofTier = row && row.tier !== null ? 1 : (tierFactor ?? 1);
  const ofRegion = asked?.priced.includes(REGION) && !row?.isRegional ? (factors[REGION] ?? 1) : 1;
  return ofTier * Math.max(1, ofRegion);
}

/** Reports whether an answer with that input can have these rates. */
const appliesTo = ({ aboveInput }: RateChoice, input: number): boolean =>
  aboveInput == null || input > aboveInput;

/** Returns the highest cost of these tokens over the rates that an answer with their input can have. */
export function highestCost(tokens: UncachedTokens, choices: RateChoices): number {
  let highest = 0;
  for (const rates of choices)
    if (appliesTo(rates, tokens.input))
      highest = Math.max(highest, costOfTokens(atHighest(tokens, rates), rates));
  return highest;
}

/** Returns the lowest cost of tokens over the rates that an answer with their input can have. */
export const cheapestCost = (tokens: ChargedTokens, choices: RateChoices): number =>
  Math.min(
    ...choices
      .filter((choice) => appliesTo(choice, tokens.input))
      .map((choice) => costOfTokens(tokens, choice)),
  );

/** Returns the names of the rows that can decide the price, ordered by the cost of these tokens. */
export function rowsByCost(tokens: UncachedTokens, choices: RateChoices): string[] {
  const costs = new Map<string, number>();
  for (const choice of choices)
    if (appliesTo(choice, tokens.input)) {
      const cost = costOfTokens(atHighest(tokens, choice), choice);
      costs.set(choice.row, Math.max(cost, costs.get(choice.row) ?? 0));
    }
  return [...costs].sort(([, one], [, other]) => one - other).map(([row]) => row);
}

/** Cached input may cost more than other input, if the catalog says so. */
const atHighest = ({ input, output }: UncachedTokens, rates: Rates): ChargedTokens => ({
  input,
  cachedInput: rates.cachedInput > rates.input ? input : 0,
  output,
});
