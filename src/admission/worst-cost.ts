import type { CatalogEntry } from '../catalog/catalog.ts';
import { costOfTokens, outputPaidBy } from '../ledger/cost-of-usage.ts';
import type { Rates } from '../ledger/rates.ts';
import type { EstimatedBody } from '../tokens/estimate-body.ts';
import { askedOutput } from './asked-output.ts';

export type CostedRequest = {
  entry: CatalogEntry;
  rates: Rates;
  body: Pick<EstimatedBody, 'value'>;
  /** About how many tokens its prompt is. */
  estimateInput(): number;
  /** The members that name the most tokens of an answer; none where an answer has no tokens. */
  ceilings: readonly string[];
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
  /** `least`: with an answer that is worth having. */
  least: number;
  most: number;
  /** How long each answer may be for so much credit; undefined where the request says so itself. */
  ceilingFor(microcredits: number): number | undefined;
};

/** Who names no ceiling is served as long as this much is paid for. */
const LEAST_OUTPUT = 256;

/** What a request may cost: about its input, and its answers up to their ceiling. */
export function worstCost({ entry, rates, body, ceilings, ...request }: CostedRequest): WorstCost {
  const { prompts = 1 } = request;
  const answers = request.written ?? request.answers ?? prompts;
  const { model } = entry;
  // Several answers to one prompt may have to be asked for one by one.
  const input = request.estimateInput() * Math.ceil(answers / prompts);
  const bound = request.outputRoom ?? model.maxOutput ?? model.contextWindow;
  const asked = askedOutput(body.value, ceilings);
  const output = model.kind === 'embedding' ? 0 : Math.min(asked ?? request.unaskedOutput ?? bound, bound);
  const costWith = (tokens: number) =>
    costOfTokens({ input, cachedInput: 0, output: tokens * answers }, rates);
  const most = costWith(output);
  const isOpen = asked === undefined && output > 0;
  return {
    output,
    least: isOpen ? costWith(Math.min(output, LEAST_OUTPUT)) : most,
    most,
    ceilingFor: (microcredits) =>
      isOpen
        ? Math.min(output, Math.floor(outputPaidBy(microcredits - costWith(0), rates) / answers))
        : undefined,
  };
}
