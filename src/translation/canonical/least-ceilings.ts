import type { Wire } from './wire.ts';

/**
 * The smallest output ceiling that a wire accepts, if it is more than one. Smaller ceilings are raised to it.
 */
export const leastCeilings = { 'openai-responses': 16 } as const satisfies Partial<Record<Wire, number>>;
