import { Refusal } from '../../base/errors/refusal.ts';
import { after } from '../../base/lib/after.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { askedOutput } from '../admission/asked-output.ts';
import type { OutputAllowance } from '../admission/hold-credit.ts';
import { leastOutputOf } from '../admission/least-output.ts';
import { LEAST_OUTPUT } from '../admission/worst-cost.ts';
import { limitHostedTools } from './limit-hosted-tools.ts';
import { limitOutput } from './limit-output.ts';
import { MeasuredPrompt } from './measure-prompt.ts';
import { qualifyRequest, type RequestForModel } from './qualify-request.ts';

/**
 * Adapts a request to a substitute, after credit was held for the requested model. The substitute may count more tokens in the prompt.
 * The answer is then shorter, and the substitute is refused if too little is left for it.
 */
export function qualifyPaid(
  given: RequestForModel,
  allowance: OutputAllowance | undefined,
): ReturnType<typeof qualifyRequest> {
  if (!allowance) return qualifyRequest(given);
  const { request, entry, counter } = given;
  const prompt = new MeasuredPrompt(request, { entry, counter });
  return after(prompt.bound([entry]), (tokens) => qualifyWithin(given, allowance, tokens));
}

function qualifyWithin(
  given: RequestForModel,
  allowance: OutputAllowance,
  promptTokens: number,
): ReturnType<typeof qualifyRequest> {
  const { request, entry, dialect } = given;
  const { ceilings = [] } = dialect;
  const room = Math.min(allowance.output, allowance.beside(promptTokens, entry));
  const asked = askedOutput(request.body.value, ceilings);
  const least = Math.max(leastOutputOf(entry), Math.min(asked ?? LEAST_OUTPUT, LEAST_OUTPUT));
  if (room < Math.min(least, allowance.output)) return new Refusal('insufficient_paid_credit');
  const isWithin = ceilings.length === 0 || (asked !== undefined && asked <= room);
  const limited = limitOutput(request, isWithin ? undefined : room, { dialect, entry });
  if (limited instanceof Refusal) return limited;
  // The tools of a vendor are removed on the wires of others.
  const isOwn = entry.targets.some(({ wires }) => wires.includes(dialect.wire));
  return after<InferenceRequest | Refusal, InferenceRequest | Refusal>(
    qualifyRequest({ ...given, request: limited }),
    (qualified) =>
      qualified instanceof Refusal || !isOwn ? qualified : limitHostedTools(qualified, allowance, dialect),
  );
}
