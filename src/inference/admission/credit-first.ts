import type { Refusal } from '../../base/errors/refusal.ts';
import { andThen } from '../../base/lib/maybe-later.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import { holdOrder } from '../hold/hold-order.ts';
import { refuseShortage } from '../hold/refuse-shortage.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';

/**
 * Lets a check of a request report a lack of purchased credit before its own refusal. The credit is asked for
 * only if the request is refused anyway.
 */
export const creditFirst =
  (check: Step): Step =>
  (inference) => {
    const checking = check(inference);
    if (checking === undefined) return undefined;
    return andThen(checking, (refusal) => refusal && unpaidOr(refusal, inference));
  };

function unpaidOr(refusal: Refusal, { exchange, principal, services }: Inference): ReturnType<Step> {
  if (paymentMode(exchange, principal) !== 'payg') return refusal;
  const baseOrder = holdOrder({ exchange, principal, mode: 'payg', now: services.clock.now() });
  const order = { ...baseOrder, keyCapMicrocredits: null, isBudgeted: false };
  return andThen(services.ledger.afford(order), (afforded) =>
    typeof afforded !== 'number' && afforded.shortage === 'nothing-purchased'
      ? refuseShortage({ exchange, principal, order, shortage: afforded })
      : refusal,
  );
}
