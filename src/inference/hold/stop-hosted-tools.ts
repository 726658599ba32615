import { Refusal } from '../../base/errors/refusal.ts';
import { mayRunTools } from '../cost/hosted-groups.ts';
import type { Inference } from '../request/inference.ts';
import { limitHostedTools } from './limit-hosted-tools.ts';

/** Removes the hosted tools of a request whose account has them stopped. Refuses a request that needs one. */
export function stopHostedTools(inference: Inference): Refusal | undefined {
  const { principal, request, dialect } = inference;
  if (principal.account.hostedToolsStopped !== true || !mayRunTools(request)) return undefined;
  if (request.runsTools !== true) return stoppedRefusal();
  const stopped = limitHostedTools(request, { hosted: [], grants: [] }, dialect);
  if (stopped instanceof Refusal || mayRunTools({ ...stopped, runsTools: undefined }))
    return stoppedRefusal();
  inference.request = stopped;
  return undefined;
}

const stoppedRefusal = (): Refusal =>
  new Refusal('insufficient_paid_credit', {
    message:
      'Hosted tools are stopped for this account, because their calls cost more than its credit covered. Ask the operator to clear the stop.',
  });
