import { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { leastOutputOf } from '../cost/least-output-of.ts';
import { MeasuredPrompt } from '../cost/measured-prompt.ts';
import type { OutputAllowance } from '../cost/output-allowance.ts';
import { requestedCeiling } from '../cost/requested-ceiling.ts';
import { MIN_OUTPUT } from '../cost/worst-cost.ts';
import { limitHostedTools } from '../hold/limit-hosted-tools.ts';
import { limitOutput } from '../hold/limit-output.ts';
import { stopHostedTools } from '../hold/stop-hosted-tools.ts';
import { fitToModel } from '../qualification/qualify.ts';
import type { Inference } from '../request/inference.ts';
import { estimateOf } from '../settlement/request-estimate.ts';

/**
 * Fits the request to a substitute, after credit was held for the requested model. The substitute may count
 * more tokens in the prompt. The answer is then shorter, and the substitute is refused if too little is left
 * for it.
 */
export async function qualifySubstitute(
  inference: Inference,
  entry: CatalogEntry,
): Promise<Inference | Refusal> {
  const { conversation, clientRequest, allowance } = inference;
  const request = conversation ? conversation.forAnother() : clientRequest;
  if (request instanceof Refusal) return request;
  const other = inference.forSubstitute(entry, request);
  const unfit = allowance ? await fitWithin(other, allowance) : await fitToModel(other);
  const refusal = unfit ?? stopHostedTools(other);
  if (refusal) return refusal;
  other.estimate = estimateOf(other);
  return other;
}

async function fitWithin(other: Inference, allowance: OutputAllowance): Promise<Refusal | undefined> {
  const { request, entry, dialect } = other;
  const { ceilings = [] } = dialect;
  const promptTokens = await new MeasuredPrompt(other).bound([entry]);
  const space = Math.min(allowance.output, allowance.outputFor({ input: promptTokens, entry }));
  const wantedOutput = requestedCeiling(request.body.value, ceilings);
  const least = Math.max(leastOutputOf(entry), Math.min(wantedOutput ?? MIN_OUTPUT, MIN_OUTPUT));
  if (space < Math.min(least, allowance.output)) return new Refusal('insufficient_paid_credit');
  const isWithin = ceilings.length === 0 || (wantedOutput !== undefined && wantedOutput <= space);
  const limited = isWithin ? request : limitOutput(request, space, { dialect, entry });
  if (limited instanceof Refusal) return limited;
  other.request = limited;
  return (await fitToModel(other)) ?? limitTools(other, allowance);
}

/** Limits the hosted tools, unless all wires of the substitute are of other vendors and remove them. */
function limitTools(other: Inference, allowance: OutputAllowance): Refusal | undefined {
  const { request, entry, dialect } = other;
  if (!entry.targets.some(({ wires }) => wires.includes(dialect.wire))) return undefined;
  const limited = limitHostedTools(request, allowance, dialect);
  if (limited instanceof Refusal) return limited;
  other.request = limited;
  return undefined;
}
