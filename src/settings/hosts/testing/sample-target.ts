import type { Target } from '../target.ts';
import { sampleProvider } from './sample-provider.ts';

/** Returns a target with the wires of its provider. */
export function sampleTarget({ provider = sampleProvider(), ...fields }: Partial<Target> = {}): Target {
  return { provider, upstreamModel: 'theirs', weight: 1, wires: provider.wires, ...fields };
}
