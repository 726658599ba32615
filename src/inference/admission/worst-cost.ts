import { costOfTokens, outputPaidBy } from '../../money/ledger/cost-of-usage.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { EstimatedBody } from '../../translation/tokens/estimate-body.ts';
import { askedOutput } from './asked-output.ts';
import type { WorstExtras } from './worst-extras.ts';

export type CostedRequest = {
  entry: Pick<CatalogEntry, 'model'>;
  rates: Rates;
  body: Pick<EstimatedBody, 'value'> & { text?: string };
  /** The most tokens that the prompt can have. */
  input: number;
  /** The members that set the output ceiling. Empty if the answers have no tokens. */
  ceilings: readonly string[];
  /** The lowest ceiling that every possible server accepts. A lower ceiling is raised to this value. */
  leastOutput?: number | undefined;
  /** The most tokens that an answer may have, if that is less than the model's own bound. */
  outputRoom?: number | undefined;
  /** The ceiling that applies if the client sets none. */
  unaskedOutput?: number | undefined;
  prompts?: number | undefined;
  answers?: number | undefined;
  /** The number of answers that the model writes, if it writes more than it returns. */
  written?: number | undefined;
  /** What the request may cost beyond tokens at these rates. */
  worstExtras?: WorstExtras | undefined;
};

export type WorstCost = {
  /** The most tokens of each answer. */
  output: number;
  /** The request sets no ceiling of its own. */
  isOpen: boolean;
  /** The cost with the shortest useful answer. */
  least: number;
  most: number;
  /**
   * Returns the ceiling that this much credit pays for, in addition to this prompt or one of `input` tokens. The result is negative if the
   * prompt alone costs more.
   */
  ceilingFor(microcredits: number, input?: number): number;
};

/** A request without a ceiling is served if the credit covers at least this many output tokens. */
export const LEAST_OUTPUT = 256;

/** Computes the most that a request can cost: all input at the dearer rate, and every answer up to its ceiling. */
export function worstCost({ entry, body, ceilings, ...request }: CostedRequest): WorstCost {
  const { prompts = 1, leastOutput = 0, worstExtras } = request;
  const { rates, leastCalls, mostCalls, passesBeside } = worstExtras ?? {
    ...NO_EXTRAS,
    rates: request.rates,
  };
  const answers = request.written ?? request.answers ?? prompts;
  const { model } = entry;
  const bound = request.outputRoom ?? model.maxOutput ?? model.contextWindow;
  const asked = askedOutput(body.value, ceilings);
  const wanted = Math.min(asked ?? request.unaskedOutput ?? bound, bound);
  const output = model.kind === 'embedding' ? 0 : Math.max(wanted, leastOutput);
  const predicted = predictedTokens(body.value);
  // Several answers to one prompt may each need a call of their own.
  const times = Math.ceil(answers / prompts);
  const costWith = (tokens: number, input = request.input) =>
    costOfTokens(atDearest({ input: input * times, output: (tokens + predicted) * answers }, rates), rates);
  const beside = mostCalls - leastCalls + Math.ceil(passesBeside * costWith(output));
  const most = leastCalls + costWith(output);
  const isOpen = asked === undefined && output > 0;
  return {
    output,
    isOpen,
    least: isOpen ? leastCalls + costWith(Math.min(output, LEAST_OUTPUT)) : most,
    // Work that the model may cause beside its answer is held as far as the credit goes.
    most: most + beside,
    ceilingFor(microcredits, input) {
      const left = microcredits - leastCalls - costWith(0, input);
      return left < 0 ? -1 : Math.min(output, Math.floor(outputPaidBy(left, rates) / answers));
    },
  };
}

const NO_EXTRAS = { leastCalls: 0, mostCalls: 0, passesBeside: 0 };

/** Cached input may cost more than other input, if the catalog says so. */
const atDearest = ({ input, output }: { input: number; output: number }, rates: Rates) => ({
  input,
  cachedInput: rates.cachedInput > rates.input ? input : 0,
  output,
});

/** The vendor bills rejected prediction tokens as output. A token covers at least one byte. */
const predictedTokens = ({ prediction }: Readonly<Record<string, unknown>>): number =>
  prediction == null ? 0 : Buffer.byteLength(JSON.stringify(prediction));
