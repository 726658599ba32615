import { costOfTokens, outputPaidBy } from '../../money/ledger/cost-of-usage.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { EstimatedBody } from '../../translation/tokens/estimate-body.ts';
import { askedOutput } from './asked-output.ts';

export type CostedRequest = {
  entry: Pick<CatalogEntry, 'model'>;
  rates: Rates;
  body: Pick<EstimatedBody, 'value'>;
  /** The most tokens that its prompt can be. */
  input: number;
  /** The members that name the most tokens of an answer; none where an answer has no tokens. */
  ceilings: readonly string[];
  /** The least ceiling that whoever serves it takes: less is raised to it. */
  leastOutput?: number | undefined;
  /** The most tokens that an answer may have, where that is less than the model's own bound. */
  outputRoom?: number | undefined;
  /** The same of an answer to who asks for no length. */
  unaskedOutput?: number | undefined;
  prompts?: number | undefined;
  answers?: number | undefined;
  /** Where more are written than are given. */
  written?: number | undefined;
};

export type WorstCost = {
  /** The most tokens of each answer. */
  output: number;
  /** The request itself names no ceiling. */
  isOpen: boolean;
  /** `least`: with an answer that is worth having. */
  least: number;
  most: number;
  /** How long each answer may be for so much credit, beside this prompt or one of so many tokens; negative where the prompt costs more. */
  ceilingFor(microcredits: number, input?: number): number;
};

/** Who names no ceiling is served as long as this much is paid for. */
export const LEAST_OUTPUT = 256;

/** The most that a request can cost: all of its input at the dearer rate, and its answers up to their ceiling. */
export function worstCost({ entry, rates, body, ceilings, ...request }: CostedRequest): WorstCost {
  const { prompts = 1, leastOutput = 0 } = request;
  const answers = request.written ?? request.answers ?? prompts;
  const { model } = entry;
  const bound = request.outputRoom ?? model.maxOutput ?? model.contextWindow;
  const asked = askedOutput(body.value, ceilings);
  const wanted = Math.min(asked ?? request.unaskedOutput ?? bound, bound);
  const output = model.kind === 'embedding' ? 0 : Math.max(wanted, leastOutput);
  const predicted = predictedTokens(body.value);
  // Several answers to one prompt may have to be asked for one by one.
  const times = Math.ceil(answers / prompts);
  const costWith = (tokens: number, input = request.input) =>
    costOfTokens(atDearest({ input: input * times, output: (tokens + predicted) * answers }, rates), rates);
  const most = costWith(output);
  const isOpen = asked === undefined && output > 0;
  return {
    output,
    isOpen,
    least: isOpen ? costWith(Math.min(output, LEAST_OUTPUT)) : most,
    most,
    ceilingFor(microcredits, input) {
      const left = microcredits - costWith(0, input);
      return left < 0 ? -1 : Math.min(output, Math.floor(outputPaidBy(left, rates) / answers));
    },
  };
}

/** Input that is read from a cache may cost more than other input, where the catalog says so. */
const atDearest = ({ input, output }: { input: number; output: number }, rates: Rates) => ({
  input,
  cachedInput: rates.cachedInput > rates.input ? input : 0,
  output,
});

/** What a prediction gets wrong is billed as if it had been written: a token is a byte at least. */
const predictedTokens = ({ prediction }: Readonly<Record<string, unknown>>): number =>
  prediction == null ? 0 : Buffer.byteLength(JSON.stringify(prediction));
