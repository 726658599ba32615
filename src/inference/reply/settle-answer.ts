import { Refusal } from '../../base/errors/refusal.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { Inference } from '../request/inference.ts';
import type { BillableAnswer } from '../settlement/billable-answer.ts';
import { withServedTier } from '../settlement/with-served-tier.ts';
import { hasSound, measureSound } from './measure-sound.ts';

/**
 * Settles an answer, together with the stored response or the batch's record. The last byte of the answer is
 * sent only after this returns.
 */
export function settleAnswer(inference: Inference, reported: BillableAnswer): Promise<void> {
  const answered = withTier(reported, inference);
  const { recording } = inference.exchange;
  if (recording && answered.body !== undefined) {
    const { body } = answered;
    return recording.keepWhole(body).then(() => settleKept(inference, answered));
  }
  return settleKept(inference, answered);
}

function withTier(answered: BillableAnswer, { servedTier }: Inference): BillableAnswer {
  if (servedTier === undefined || answered.usage === undefined) return answered;
  return { ...answered, usage: withServedTier(answered.usage, servedTier) };
}

function settleKept(inference: Inference, answered: BillableAnswer): Promise<void> {
  if (hasSound(answered))
    return measureSound(answered).then((measured) => settleMeasured(inference, measured));
  if (inference.request.metered === undefined) noteCache(inference, answered);
  return settleMeasured(inference, answered);
}

/** Records how much of the prompt came from a cache, to estimate answers without a usage report. */
function noteCache(inference: Inference, { usage }: BillableAnswer): void {
  const { shares } = inference;
  if (usage && !usage.isEstimated && (usage.input.cacheRead || !shares.isEmpty))
    shares.record(inference.cacheScope, usage);
}

function settleMeasured(inference: Inference, answered: BillableAnswer): Promise<void> {
  const { unattended, conversation, tab, trail } = inference;
  if (unattended && answered.body !== undefined) {
    const job = unattended.finish({
      text: textOf(answered.body),
      isSimulated: isSimulated(inference.permit.entry),
    });
    return tab.settle({ ...answered, job });
  }
  const { answer } = answered;
  const response = answer && conversation?.keep(answer, trail.model);
  if (answer && !response && inference.request.echo?.background) return Promise.reject(unkept());
  const settling = tab.settle(response ? { ...answered, response } : answered);
  const append = conversation?.append;
  if (!answer || response || !append) return settling;
  // The settlement writes the addition with the response. An answer that is too long to be stored is added by
  // itself.
  return settling.then(() => append(answer, trail.model));
}

const unkept = (): Refusal =>
  new Refusal('request_unprocessable', {
    message: 'The response is larger than 512 KB, so it cannot be kept until it is read.',
  });

const decoder = new TextDecoder();
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : decoder.decode(body);
