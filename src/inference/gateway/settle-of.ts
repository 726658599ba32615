import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { Settle } from '../settlement/billable-answer.ts';
import type { CacheShares } from '../settlement/cache-shares.ts';
import { measuringSound } from '../settlement/measuring-sound.ts';
import type { Tab } from '../settlement/tab.ts';
import { notingCache } from './noting-cache.ts';
import type { QualifiedRequest } from './qualified-request.ts';

/** Returns what settles the answers of a request. */
export function settleOf(tab: Tab, qualified: QualifiedRequest, shares: CacheShares): Settle {
  const settle = settleKept(tab, qualified);
  return qualified.request.metered ? measuringSound(settle) : notingCache(settle, qualified, shares);
}

const decoder = new TextDecoder();

/** Settles the answer, together with the stored response or the batch's record. */
const settleKept =
  (tab: Tab, { trail, permit, prepared: { keep }, unattended }: QualifiedRequest): Settle =>
  (answered) => {
    if (unattended) {
      const { body } = answered;
      if (body === undefined) return tab.settle(answered);
      const text = typeof body === 'string' ? body : decoder.decode(body);
      const job = unattended.finish({ text, isSimulated: isSimulated(permit.entry) });
      return tab.settle({ ...answered, job });
    }
    return tab.settle(
      keep ? { ...answered, response: answered.answer && keep(answered.answer, trail.model) } : answered,
    );
  };
