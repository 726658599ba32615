import { soundSeconds } from '../../translation/sound/sound-seconds.ts';
import type { BillableAnswer } from '../settlement/billable-answer.ts';

/** The rate of sound without a header, as vendors send it: 16 bits at 24 kHz. */
const RAW_BYTES_PER_SECOND = 48_000;
const RAW = /\b(pcm|l16)\b/i;

/** Measures sound that is billed by the second, in whole seconds. */
export async function measureSound(answered: BillableAnswer): Promise<BillableAnswer> {
  const { detail, ...usage } = answered.usage!;
  const { sound, ...metered } = detail!.metered!;
  const { bytes: content, type } = sound!;
  const { seconds } = RAW.test(type)
    ? { seconds: content.byteLength / RAW_BYTES_PER_SECOND }
    : await soundSeconds({ at: 0, byteLength: content.byteLength }, content);
  const counts = { ...metered.counts, second: Math.ceil(seconds) };
  return { ...answered, usage: { ...usage, detail: { ...detail, metered: { ...metered, counts } } } };
}
