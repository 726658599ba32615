import { Refusal } from '../../base/errors/refusal.ts';
import { mayRunTools } from '../admission/hosted-groups.ts';
import { limitHostedTools } from './limit-hosted-tools.ts';
import type { QualifiedRequest } from './qualified-request.ts';

/** Removes the hosted tools of a request whose account has them stopped. Refuses a request that needs one. */
export function stopHostedTools(qualified: QualifiedRequest): QualifiedRequest | Refusal {
  const { principal, request, dialect } = qualified;
  if (principal.account.hostedToolsStopped !== true || !mayRunTools(request)) return qualified;
  if (request.runsTools !== true) return stoppedRefusal();
  const stopped = limitHostedTools(request, { hosted: [], grants: [] }, dialect);
  const isRefused = stopped instanceof Refusal || mayRunTools({ ...stopped, runsTools: undefined });
  return isRefused ? stoppedRefusal() : { ...qualified, request: stopped };
}

const stoppedRefusal = (): Refusal =>
  new Refusal('insufficient_paid_credit', {
    message:
      'Hosted tools are stopped for this account, because their calls cost more than its credit covered. Ask the operator to clear the stop.',
  });
