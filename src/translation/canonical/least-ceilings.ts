import type { Wire } from './wire.ts';

/** The fewest tokens that a wire takes for the ceiling of an answer, where that is more than one: what is less is raised to it. */
export const leastCeilings = { 'openai-responses': 16 } as const satisfies Partial<Record<Wire, number>>;
