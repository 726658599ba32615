import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { EstimatedBody } from '../../translation/tokens/estimate-body.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import { askedOutput } from './asked-output.ts';
import { bestGrants, fullGrants, leastGrants } from './grant-calls.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';
import { largestWithin } from './largest-within.ts';
import { mostUsage } from './most-usage.ts';
import { highestCost, type RateChoices, rowsByCost } from './rate-choices.ts';

export type CostedRequest = {
  entry: Pick<CatalogEntry, 'model'>;
  /** The bounds of the models that may answer. */
  bounds: AnswerBounds;
  /** The rates that the answers can have. */
  rates: RateChoices;
  body: Pick<EstimatedBody, 'value'>;
  /** The most tokens that the prompt can have. */
  input: number;
  /** The members that set the output ceiling. The list is empty if the answers have no tokens. */
  ceilings: readonly string[];
  /** The lowest ceiling that every possible server accepts. A lower ceiling is raised to this value. */
  leastOutput?: number | undefined;
  /** The most tokens that an answer may have, if that is less than the model's own bound. */
  outputSpace?: number | undefined;
  /** The ceiling that applies if the client sets none. */
  unaskedOutput?: number | undefined;
  prompts?: number | undefined;
  answers?: number | undefined;
  /** The number of answers that the model writes, if it writes more than it returns. */
  written?: number | undefined;
  hosted?: readonly HostedGroup[] | undefined;
  /** The number of ways in which the conversation is compacted. */
  compactions?: number | undefined;
  /** The models that answer if the asked one declines. */
  fallbacks?: readonly Fallback[] | undefined;
};

/** `ceiling`: the output ceiling that the request sets for this model alone. */
export type Fallback = { rates: RateChoices; bounds: AnswerBounds; ceiling?: number | undefined };

/** The most that an answer may use: its output tokens, and the calls of each group of hosted tools. */
export type AnswerPlan = { output: number; grants: readonly Grant[] };

export type WorstCost = {
  /** The most tokens of each answer. */
  output: number;
  /** The request sets no ceiling of its own. */
  isOpen: boolean;
  /** The cost with the shortest useful answer, and the calls of hosted tools that it needs. */
  least: number;
  most: number;
  hosted: readonly HostedGroup[];
  /** Returns the names of the price rows that can apply, the most expensive last. */
  priceRows(): readonly string[];
  /** Returns the best answer that this much credit pays for. */
  planFor(microcredits: number): AnswerPlan;
  /**
   * Returns the ceiling that this much credit pays for if another server reads a prompt of `input` tokens.
   * The result is negative if the prompt and the calls alone cost more.
   */
  ceilingBeside(microcredits: number, other: { input: number; bounds: AnswerBounds } & AnswerPlan): number;
};

/** A request without a ceiling is served if the credit covers at least this many output tokens. */
export const MIN_OUTPUT = 256;
/** The output of an open request for which credit is reserved before calls of hosted tools. */
const USUAL_OUTPUT = 4_096;

/**
 * Computes the most that a request can cost: all input at the higher rate, every answer up to
 * its bound, and all hosted calls.
 */
export function worstCost(request: CostedRequest): WorstCost {
  const { hosted = [] } = request;
  const output = ceilingOf(request);
  const isOpen = askedOutput(request.body.value, request.ceilings) === undefined && output > 0;
  const own = { input: request.input, bounds: request.bounds };
  const cost = (plan: AnswerPlan, server = own): number => costOfPlan(request, plan, server);
  const shortest = isOpen ? Math.min(output, MIN_OUTPUT) : output;
  const full = fullGrants(hosted);
  return {
    output,
    isOpen,
    hosted,
    least: cost({ output: shortest, grants: leastGrants(hosted) }),
    most: cost({ output, grants: full }),
    priceRows() {
      const most = mostOfPlan(request, { output, grants: full }, own);
      return rowsByCost({ ...most, input: most.input * timesRead(request) }, request.rates);
    },
    planFor(microcredits) {
      if (cost({ output, grants: full }) <= microcredits) return { output, grants: full };
      const pays = (tokens: number) => (grants: readonly Grant[]) =>
        cost({ output: tokens, grants }) <= microcredits;
      const usual = isOpen ? Math.min(output, USUAL_OUTPUT) : output;
      const grants = bestGrants(hosted, pays(usual)) ?? bestGrants(hosted, pays(shortest));
      const granted = grants ?? leastGrants(hosted);
      return {
        output: Math.max(
          0,
          largestWithin(output, (tokens) => pays(tokens)(granted)),
        ),
        grants: granted,
      };
    },
    ceilingBeside: (microcredits, { grants, output: most, ...server }) =>
      largestWithin(most, (tokens) => cost({ output: tokens, grants }, server) <= microcredits),
  };
}

/** Returns the ceiling that the upstream is sent. */
function ceilingOf({ entry: { model }, body, ceilings, ...request }: CostedRequest): number {
  if (model.kind === 'embedding') return 0;
  const bound = request.outputSpace ?? model.maxOutput ?? model.contextWindow;
  const requestedOutput = askedOutput(body.value, ceilings);
  return Math.max(
    Math.min(requestedOutput ?? request.unaskedOutput ?? bound, bound),
    request.leastOutput ?? 0,
  );
}

type Server = Pick<CostedRequest, 'input' | 'bounds'>;

const callsOf = (hosted: readonly HostedGroup[], grants: readonly Grant[]) =>
  hosted.map(({ call }, index) => {
    const { calls: count, tokens } = grants[index]!;
    return { ...call, count, tokens: Math.min(call.tokens, tokens) };
  });

/** Returns the most tokens that one answer can use. */
function mostOfPlan(
  { entry: { model }, hosted = [] }: CostedRequest,
  { output, grants }: AnswerPlan,
  { input, bounds }: Server,
) {
  return mostUsage({
    prompt: input,
    ceiling: output,
    calls: callsOf(hosted, grants),
    bounds: model.kind === 'embedding' ? { ...bounds, thinksBeside: false } : bounds,
  });
}

function costOfPlan(request: CostedRequest, { output, grants }: AnswerPlan, server: Server): number {
  const { rates, hosted = [], prompts = 1, compactions = 0, fallbacks = [] } = request;
  const answers = request.written ?? request.answers ?? prompts;
  const times = timesRead(request);
  const beside = predictedTokens(request.body.value);
  const calls = callsOf(hosted, grants);
  const mostFor = (bounds: AnswerBounds, ceiling = output) =>
    mostOfPlan(request, { output: ceiling, grants }, { input: server.input, bounds });
  const costOf = ({ input, output: written }: { input: number; output: number }, at: RateChoices): number =>
    highestCost({ input: input * times, output: written * answers }, at);
  const attempts = [
    { rates, most: mostFor(server.bounds), beside },
    ...fallbacks.map(({ rates: theirs, bounds, ceiling = 0 }) => ({
      rates: theirs,
      beside: 0,
      most: mostFor(bounds, Math.max(output, Math.min(ceiling, bounds.own))),
    })),
  ];
  let sum = 0;
  for (const { rates: theirs, most, beside: more } of attempts) {
    sum += costOf({ input: most.input, output: most.output + most.written + more }, theirs);
    if (compactions > 0) sum += compactions * costOf(most.compacted, theirs);
  }
  const context = Math.max(...attempts.map(({ most }) => most.context));
  for (const { advisor, count } of calls)
    if (advisor && count > 0)
      sum += count * costOf({ input: context, output: advisor.output }, advisor.rates);
  const fees =
    calls.reduce((units, { fee, count }) => units + BigInt(fee) * BigInt(count), 0n) * BigInt(answers);
  return sum + (fees > 0n ? costOfUnits(fees) : 0);
}

/** Several answers to one prompt may each need a call of their own. */
const timesRead = ({ prompts = 1, answers = prompts, written = answers }: CostedRequest): number =>
  Math.ceil(written / prompts);

/** The vendor bills rejected prediction tokens as output. A token covers at least one byte. */
const predictedTokens = ({ prediction }: Readonly<Record<string, unknown>>): number =>
  prediction == null ? 0 : Buffer.byteLength(JSON.stringify(prediction));
