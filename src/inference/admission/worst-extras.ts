import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { type CallPrice, callPrices, type TokenPrice } from '../../translation/canonical/price-name.ts';
import type { AskedExtras } from '../../translation/protocols/inference-request.ts';
import { advisorsOf } from './advisors.ts';
import { extrasAt, type PricedModel } from './extras-at.ts';
import type { RateQuestion } from './rate-question.ts';

export type ExtrasQuestion = {
  model: PricedModel;
  rating: RateQuestion;
  rates: Rates;
  body: { value: Readonly<Record<string, unknown>>; text?: string | undefined };
  asked: AskedExtras | undefined;
  /** How much dearer than the asked model the one is that a tool consults. */
  dearness?: (advisor: string | undefined) => number;
};

/** The most that the dimensions of a request beyond its tokens can cost. */
export type WorstExtras = {
  /** The dearest rates that the tokens can have. */
  rates: Rates;
  /** The cost of calls in micro-credits: those that every answer makes, and all that it may make. */
  leastCalls: number;
  mostCalls: number;
  /** How often the upstream may read the prompt and write an answer in addition to the answer itself. */
  passesBeside: number;
};

/** Vendors end an answer after about this many rounds of hosted tools. */
const USUAL_CALLS = 10;

/** Returns the worst extras of a request, or undefined if it can cause none. */
export function worstExtras(question: ExtrasQuestion): WorstExtras | undefined {
  const { model, rating, rates, body, asked, dearness = () => 1 } = question;
  const passesBeside = passesOf(body.value) + sumOf(advisorsOf(body.value).map(dearness));
  if (asked === undefined && passesBeside === 0 && !isPriced(model)) return undefined;
  const { units, factors } = extrasAt(model, rating);
  const priced = asked?.priced ?? [];
  const factor = Object.entries(factors).reduce(
    (product, [name, by]) =>
      by > 1 && priced.includes(name as keyof typeof factors) ? product * by : product,
    1,
  );
  const dearest = (own: number, names: readonly TokenPrice[]): number =>
    Math.ceil(Math.max(own, ...names.map((name) => units[name] ?? 0)) * factor);
  const costOf = (name: CallPrice, calls: number): number =>
    costOfUnits(BigInt(units[name] ?? 0) * BigInt(calls));
  const certain = (name: CallPrice): number => asked?.certain[name] ?? 0;
  const offered = (name: CallPrice): number =>
    priced.includes(name) ? Math.max(certain(name), callsOf(name, body.value)) : 0;
  return {
    rates: {
      input: dearest(rates.input, inputPrices(priced, units.audio_input === undefined ? undefined : body)),
      cachedInput: dearest(rates.cachedInput, []),
      output: dearest(rates.output, priced.includes('audio_output') ? ['audio_output'] : []),
    },
    leastCalls: callPrices.reduce((sum, name) => sum + costOf(name, certain(name)), 0),
    mostCalls: callPrices.reduce((sum, name) => sum + costOf(name, offered(name)), 0),
    passesBeside,
  };
}

function isPriced({ extrasUsd }: Pick<Model, 'extrasUsd'>): boolean {
  for (const _ in extrasUsd) return true;
  return false;
}

/** Some vendors cache prompts without being asked. Longer lifetimes and audio are in the request. */
const inputPrices = (
  priced: AskedExtras['priced'],
  heard: ExtrasQuestion['body'] | undefined,
): readonly TokenPrice[] => [
  ...(['cache_write_5m', 'cache_write_30m'] as const),
  ...(['cache_write_1h', 'cache_write_12h'] as const).filter((name) => priced.includes(name)),
  ...(heard && mayHoldAudio(heard) ? (['audio_input'] as const) : []),
];

const mayHoldAudio = ({ text, value }: ExtrasQuestion['body']): boolean =>
  (text ?? JSON.stringify(value)).includes('audio');

function callsOf(name: CallPrice, { tools, max_tool_calls }: Readonly<Record<string, unknown>>): number {
  const limits = listOf(tools).flatMap((tool) => {
    const { type, max_uses } = objectOf(tool);
    if (!textOf(type)?.startsWith(name)) return [];
    return [isCount(max_uses) ? Math.min(max_uses, MOST_CALLS) : USUAL_CALLS];
  });
  const most = limits.length > 0 ? sumOf(limits) : USUAL_CALLS;
  return isCount(max_tool_calls) ? Math.min(most, max_tool_calls) : most;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const MOST_CALLS = 500;
const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** A compaction reads the prompt once more and writes a summary. So does an advisor, which writes advice. */
function passesOf({ context_management: management }: Readonly<Record<string, unknown>>): number {
  let passes = 0;
  if (management != null) {
    const edits = Array.isArray(management) ? management : listOf(objectOf(management).edits);
    if (edits.some((edit) => textOf(objectOf(edit).type)?.startsWith('compact'))) passes++;
  }
  return passes;
}
