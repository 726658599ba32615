import type { Body } from './conversation.ts';
import type { PlaygroundDialect } from './dialects.ts';

/** The request that the page shows as code. */
export type SampleInput = {
  dialect: PlaygroundDialect;
  body: Body;
  baseUrl: string;
  /** Is set for a request that purchased credit pays. */
  paymentHeader: string | null;
  isStream: boolean;
};
