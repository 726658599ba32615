import { Refusal } from '../../base/errors/refusal.ts';
import { complaintIn } from './provider-complaint.ts';

/** A failed creation after which the provider may have the batch anyway. */
export class LostAnswer extends Refusal {
  /**
   * The provider itself answered, so its list is complete. A proxy or a broken connection can precede the
   * provider.
   */
  readonly isSettled: boolean;

  constructor({ code, details }: Refusal, { isSettled = false } = {}) {
    super(code, details);
    this.isSettled = isSettled;
  }
}

/** Statuses that a proxy sends while the provider still works. */
const fromProxies: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);

/** Marks a failed creation as unanswered, unless the provider has refused it or was not reached. */
export function unlessRefused(refusal: Refusal): Refusal {
  const complaint = complaintIn(refusal);
  if (!complaint) return new LostAnswer(refusal);
  const { status, isUnsent } = complaint;
  if (isUnsent) return refusal;
  if (status === undefined || status === 408) return new LostAnswer(refusal);
  return status < 500 ? refusal : new LostAnswer(refusal, { isSettled: !fromProxies.has(status) });
}
