import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import { answerCount } from './answer-count.ts';
import type { AnswerPlan, CostedRequest } from './costed-request.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';
import { type MostUsage, mostUsage } from './most-usage.ts';
import { highestCost, type RateChoices, type UncachedTokens } from './rate-choices.ts';

/** The prompt as a server reads it, and the bounds of its answers. */
export type CostedServer = Pick<CostedRequest, 'input' | 'bounds'>;

const callsOf = (hosted: readonly HostedGroup[], grants: readonly Grant[]) =>
  hosted.map(({ call }, index) => {
    const { calls: count, tokens } = grants[index]!;
    return { ...call, count, tokens: Math.min(call.tokens, tokens) };
  });

/** Returns the most tokens that one answer can use. */
export function mostOfPlan(
  { entry: { model }, hosted = [] }: CostedRequest,
  { output, grants }: AnswerPlan,
  { input, bounds }: CostedServer,
): MostUsage {
  return mostUsage({
    prompt: input,
    ceiling: output,
    calls: callsOf(hosted, grants),
    bounds: model.kind === 'embedding' ? { ...bounds, thinksOutsideCeiling: false } : bounds,
  });
}

/** Returns the most that all answers cost, those of other models that may answer included. */
export function costOfPlan(request: CostedRequest, plan: AnswerPlan, server: CostedServer): number {
  const { hosted = [], compactions = 0 } = request;
  const answers = answerCount(request);
  const reads = timesRead(request);
  const costOf = ({ input, output }: UncachedTokens, rates: RateChoices): number =>
    highestCost({ input: input * reads, output: output * answers }, rates);
  const attempts = attemptsOf(request, plan, server);
  let sum = 0;
  for (const { rates, most, predicted } of attempts) {
    sum += costOf({ input: most.input, output: most.output + most.written + predicted }, rates);
    if (compactions > 0) sum += compactions * costOf(most.compacted, rates);
  }
  const context = Math.max(...attempts.map(({ most }) => most.context));
  const calls = callsOf(hosted, plan.grants);
  for (const { advisor, count } of calls)
    if (advisor && count > 0)
      sum += count * costOf({ input: context, output: advisor.output }, advisor.rates);
  const fees =
    calls.reduce((units, { fee, count }) => units + BigInt(fee) * BigInt(count), 0n) * BigInt(answers);
  return sum + (fees > 0n ? costOfUnits(fees) : 0);
}

/** The most that one model uses for one answer. `predicted`: tokens of a prediction that may be rejected. */
type Attempt = { rates: RateChoices; most: MostUsage; predicted: number };

/** Returns the attempts of all models. Each fallback may answer after those before it have declined. */
function attemptsOf(request: CostedRequest, { output, grants }: AnswerPlan, server: CostedServer): Attempt[] {
  const { rates, fallbacks = [], body } = request;
  const mostFor = (bounds: AnswerBounds, ceiling: number) =>
    mostOfPlan(request, { output: ceiling, grants }, { input: server.input, bounds });
  return [
    { rates, most: mostFor(server.bounds, output), predicted: predictedTokens(body.value) },
    ...fallbacks.map((fallback) => {
      const { bounds, ceiling = 0 } = fallback;
      const most = mostFor(bounds, Math.max(output, Math.min(ceiling, bounds.own)));
      return { rates: fallback.rates, most, predicted: 0 };
    }),
  ];
}

/** Several answers to one prompt may each need a call of their own. */
export const timesRead = (request: CostedRequest): number =>
  Math.ceil(answerCount(request) / (request.prompts ?? 1));

/** The vendor bills rejected prediction tokens as output. A token covers at least one byte. */
const predictedTokens = ({ prediction }: Readonly<Record<string, unknown>>): number =>
  prediction == null ? 0 : Buffer.byteLength(JSON.stringify(prediction));
