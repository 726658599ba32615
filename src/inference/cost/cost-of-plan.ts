import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import type { AnswerBounds } from './answer-bounds.ts';
import type { AnswerPlan, CostedRequest } from './costed-request.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';
import { mostUsage } from './most-usage.ts';
import { highestCost, type RateChoices } from './rate-choices.ts';

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
) {
  return mostUsage({
    prompt: input,
    ceiling: output,
    calls: callsOf(hosted, grants),
    bounds: model.kind === 'embedding' ? { ...bounds, thinksBeside: false } : bounds,
  });
}

/** Returns the most that all answers cost, those of other models that may answer included. */
export function costOfPlan(
  request: CostedRequest,
  { output, grants }: AnswerPlan,
  server: CostedServer,
): number {
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
export const timesRead = ({ prompts = 1, answers = prompts, written = answers }: CostedRequest): number =>
  Math.ceil(written / prompts);

/** The vendor bills rejected prediction tokens as output. A token covers at least one byte. */
const predictedTokens = ({ prediction }: Readonly<Record<string, unknown>>): number =>
  prediction == null ? 0 : Buffer.byteLength(JSON.stringify(prediction));
