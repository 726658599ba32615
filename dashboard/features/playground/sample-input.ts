import type { PlaygroundDialect } from './dialects.ts';
import type { RequestBody } from './request-body.ts';

/** The request that the page shows as code. */
export type SampleInput = {
  dialect: PlaygroundDialect;
  body: RequestBody;
  baseUrl: string;
  /** The header by which purchased credit pays, or `null` if the plan pays. */
  paymentHeader: string | null;
  isStream: boolean;
};
