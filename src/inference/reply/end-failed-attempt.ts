import type { Refusal } from '../../base/errors/refusal.ts';
import { stopping } from '../../edge/http/under-way.ts';
import type { OpenCall } from '../../upstream/calling/open-call.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';

/**
 * Ends the call of an answer that broke after it had begun, and returns the refusal for the client. The
 * upstream is not at fault if this server has interrupted the answer because it stops.
 */
export function endFailedAttempt(
  attempt: OpenCall,
  failure: UpstreamFailure,
  { isInterrupted }: { isInterrupted: boolean },
): Refusal {
  if (isInterrupted) {
    attempt.end('canceled');
    return stopping();
  }
  const { outcome, refusal } = attempt.failed(failure);
  attempt.end(outcome);
  return refusal;
}
