import { leastCeilings } from '../../canonical/least-ceilings.ts';

/** The smallest token limit that the vendor accepts. */
export const MIN_OUTPUT_TOKENS = leastCeilings['openai-responses'];
