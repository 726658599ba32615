import type { Usage } from '../../translation/canonical/usage.ts';
import { soundSeconds } from '../../translation/sound/sound-seconds.ts';
import type { BillableAnswer, Settle } from './billable-answer.ts';

/** The rate of sound without a header, as vendors send it: 16 bits at 24 kHz. */
const RAW_BYTES_PER_SECOND = 48_000;
const RAW = /\b(pcm|l16)\b/i;

/** Settles an answer. Sound that is billed by the second is measured first, in whole seconds. */
export const measuringSound =
  (settle: Settle): Settle =>
  (answered) =>
    answered.usage?.detail?.metered?.sound
      ? settleMeasured(answered, answered.usage, settle)
      : settle(answered);

async function settleMeasured(answered: BillableAnswer, usage: Usage, settle: Settle): Promise<void> {
  const { sound, ...metered } = usage.detail!.metered!;
  const { kept, type } = sound!;
  const { seconds } = RAW.test(type)
    ? { seconds: kept.byteLength / RAW_BYTES_PER_SECOND }
    : await soundSeconds({ at: 0, byteLength: kept.byteLength }, kept);
  const counts = { ...metered.counts, second: Math.ceil(seconds) };
  await settle({
    ...answered,
    usage: { ...usage, detail: { ...usage.detail, metered: { ...metered, counts } } },
  });
}
