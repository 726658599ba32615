import { monthOf } from '../../money/ledger/month-of.ts';
import type { ReloadBody } from './billing-record.ts';

/** Sums the reloads in the month of `now`. A reload under way counts even if it began in an earlier month. */
export const spentInMonth = ({ month, spentCents, attempt }: ReloadBody, now: number): number =>
  month === monthOf(now) ? spentCents : (attempt?.cents ?? 0);
