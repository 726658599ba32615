import type { MeteredCounts, MeteredUsage } from '../../translation/canonical/metered.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { UsageDetail } from '../../translation/canonical/usage-detail.ts';
import { soundSeconds } from '../../translation/sound/sound-seconds.ts';
import type { BillableAnswer } from '../settlement/billable-answer.ts';

type Sound = NonNullable<MeteredUsage['sound']>;
type SoundUsage = Usage & { detail: UsageDetail & { metered: MeteredUsage & { sound: Sound } } };
/** An answer whose sound is billed by the second. */
export type SoundAnswer = BillableAnswer & { usage: SoundUsage };

/** The rate of sound without a header, as vendors send it: 16 bits at 24 kHz. */
const RAW_BYTES_PER_SECOND = 48_000;
const RAW = /\b(pcm|l16)\b/i;

/** Reports whether the sound of the answer must be measured before the answer is settled. */
export const hasSound = (answered: BillableAnswer): answered is SoundAnswer =>
  answered.usage?.detail?.metered?.sound !== undefined;

/** Measures sound that is billed by the second, in whole seconds. */
export async function measureSound(answered: SoundAnswer): Promise<BillableAnswer> {
  const { counts, sound } = answered.usage.detail.metered;
  return { ...answered, usage: withCounts(answered.usage, { ...counts, second: await secondsOf(sound) }) };
}

async function secondsOf({ bytes, type }: Sound): Promise<number> {
  if (RAW.test(type)) return Math.ceil(bytes.byteLength / RAW_BYTES_PER_SECOND);
  const { seconds } = await soundSeconds({ at: 0, byteLength: bytes.byteLength }, bytes);
  return Math.ceil(seconds);
}

/** Returns the usage with its final counts, without the sound. */
function withCounts({ detail, ...usage }: SoundUsage, counts: MeteredCounts): Usage {
  const { sound: _, ...metered } = detail.metered;
  return { ...usage, detail: { ...detail, metered: { ...metered, counts } } };
}
