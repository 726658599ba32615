import { Refusal } from '../../base/errors/refusal.ts';
import { andThen } from '../../base/lib/maybe-later.ts';
import { allowanceOf } from '../cost/output-allowance.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { limitHostedTools } from './limit-hosted-tools.ts';
import { limitOutput } from './limit-output.ts';

/**
 * Limits the answer and the calls of hosted tools to what the hold covers. A request for which that is
 * impossible is refused.
 */
export const limitToHold: Step = (inference) => {
  const { credit, hold, request, dialect, entry } = inference;
  if (!credit.worst) return undefined;
  const allowance = allowanceOf(credit.worst, hold);
  inference.allowance = allowance;
  const limited = allowance.hosted.length > 0 ? limitHostedTools(request, allowance, dialect) : request;
  if (limited instanceof Refusal) return withdraw(inference, limited);
  const fitted = allowance.hasNoCeiling
    ? limitOutput(limited, allowance.output, { dialect, entry })
    : limited;
  if (fitted instanceof Refusal) return withdraw(inference, fitted);
  inference.request = fitted;
  return undefined;
};

function withdraw({ limitCount, services, hold }: Inference, refusal: Refusal): ReturnType<Step> {
  limitCount.withdraw();
  return andThen(services.ledger.void(hold), () => refusal);
}
