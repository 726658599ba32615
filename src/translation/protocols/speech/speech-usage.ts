import type { Usage } from '../../canonical/usage.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { meteredUsage } from '../metered/metered-usage.ts';
import type { KeptSound } from './kept-sound.ts';

type Speech = { sound: KeptSound | undefined; type: string; reported?: unknown };

/**
 * Returns the usage of speech: the characters of the request, the reported tokens, and the sound if its
 * seconds are billed.
 */
export const speechUsage = ({ metered }: InferenceRequest, { sound, type, reported }: Speech): Usage =>
  meteredUsage(
    {
      counts: { character: metered?.counts.character ?? 0 },
      ...(sound && { sound: { bytes: sound, type } }),
    },
    reported,
  );
