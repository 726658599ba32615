import type { Refusal } from '../../base/errors/refusal.ts';
import { andThen } from '../../base/lib/maybe-later.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import { checkedVersions } from '../../money/limits/checked-versions.ts';
import type { GateObjection, GateOrder } from '../../money/limits/gate.ts';
import { limitedRequest } from '../../money/limits/limited-request.ts';
import type { LimitedRequest } from '../../money/limits/limiter.ts';
import { answerCount } from '../cost/answer-count.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { refuseShortage } from './refuse-shortage.ts';

/**
 * Holds the credit and counts the request against the limits, in one step. Throws a `StaleCaller` if the
 * account or the key has changed since the caller was authenticated.
 */
export const passGate: Step = (inference) => {
  const { services, credit, principal } = inference;
  const order: GateOrder = {
    credit: credit.order,
    limits: limitsOf(inference),
    versions: checkedVersions(principal),
  };
  return andThen(services.limits.gate.decide(order), (answer) => {
    if (answer.kind !== 'admitted') return refusalOf(answer, inference);
    inference.hold = answer.hold;
    inference.limitCount = answer.count;
    return undefined;
  });
};

/** No rate limits apply to items of batches. */
function limitsOf({
  unattended,
  exchange,
  principal,
  request,
  prompt,
}: Inference): LimitedRequest | undefined {
  if (unattended) return undefined;
  const counts = { requests: answerCount(request), tokens: prompt.estimate(), isConcurrent: true };
  return limitedRequest(exchange, principal, counts);
}

function refusalOf(objection: GateObjection, { exchange, principal, credit }: Inference): Refusal {
  if (objection.kind === 'stale') throw new StaleCaller();
  if (objection.kind === 'limited') return objection.refusal;
  const { order, worst } = credit;
  return refuseShortage({ exchange, principal, order, shortage: objection.shortage, worst });
}
