import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { meteredUsage } from '../metered/metered-usage.ts';

/**
 * Returns the usage of a transcript: the seconds that the upstream reports, at most those that are held, and
 * its tokens. Without a report the file's own length is billed.
 */
export function transcriptUsage({ metered }: InferenceRequest, answer: JsonObject): Usage {
  const heldSeconds = metered?.counts.second ?? 1;
  const reported = secondsIn(answer);
  const second = reported === undefined ? heldSeconds : Math.min(heldSeconds, Math.ceil(reported));
  return meteredUsage({ counts: { second } }, answer.usage);
}

/** Returns the length of the sound. Hosts report it in the usage, under one of two names, or next to it. */
function secondsIn({ usage, duration }: JsonObject): number | undefined {
  const reported = isObject(usage) ? (usage.seconds ?? usage.prompt_audio_seconds) : undefined;
  return [reported, duration].map(lengthOf).find((seconds) => seconds !== undefined);
}

function lengthOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
