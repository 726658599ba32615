import type { StrainedGateway } from './start-strained-gateway.ts';

/** Attacks a gateway, and returns a summary of the outcome, which can be empty. */
export type Attack = (gateway: StrainedGateway) => Promise<string>;
