import { Refusal } from '../../base/errors/refusal.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { countPrompt } from '../cost/count-prompt.ts';
import { MeasuredPrompt } from '../cost/measured-prompt.ts';
import type { Step } from '../request/step.ts';

/**
 * Refuses a prompt that exceeds the plan's limit. Pay-as-you-go requests have no limit. A token covers at
 * least one byte, so a body with fewer bytes than the limit passes. A prompt whose lower estimate exceeds the
 * limit is refused. Any other prompt is counted, since no estimate is reliable for every text.
 */
export const refuseLongPrompt: Step = (inference) => {
  const { permit, principal, request, entry } = inference;
  const { displayName, maxPromptTokens: limit } = principal.plan;
  if (permit.mode === 'payg' || limit === null) return undefined;
  const { body } = request;
  const refuseAbove = (tokens: number) => (tokens > limit ? exceedsPlan(displayName, limit) : undefined);
  // The body of a metered request can hold images, which are not read as text.
  if (request.metered) return refuseAbove(new MeasuredPrompt(inference).estimate());
  if (body.text.length <= limit && Buffer.byteLength(body.text) <= limit) return undefined;
  if (estimateBody(body, entry.family).least > limit) return exceedsPlan(displayName, limit);
  return countPrompt(inference, inference.counter, entry.counted).then(({ sure, unsure }) =>
    refuseAbove(sure + unsure),
  );
};

const exceedsPlan = (displayName: string, limit: number): Refusal =>
  new Refusal('input_exceeds_plan', {
    message: `The prompt is longer than the ${displayName} plan's ${limit.toLocaleString('en-US')} tokens. Shorten it, or choose another plan.`,
  });
