import type { PlaygroundDialect } from './dialects.ts';
import type { RequestBody } from './request-body.ts';

/** The request that the page shows as code. */
export type SampleInput = {
  dialect: PlaygroundDialect;
  body: RequestBody;
  baseUrl: string;
  /** Is set for a request that purchased credit pays. */
  paymentHeader: string | null;
  isStream: boolean;
};
