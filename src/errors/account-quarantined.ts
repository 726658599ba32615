import { Refusal } from './refusal.ts';

/** What is told to an account whose ledger has to be looked after first. */
export const accountQuarantined = (): Refusal =>
  new Refusal('capacity_unavailable', {
    message:
      'This account is under maintenance and cannot be used right now. Its credits are kept; contact support if this lasts.',
  });
