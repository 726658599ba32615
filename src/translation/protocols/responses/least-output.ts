import { leastCeilings } from '../../canonical/least-ceilings.ts';

/** The least that the vendor takes for a ceiling. */
export const LEAST_OUTPUT = leastCeilings['openai-responses'];
