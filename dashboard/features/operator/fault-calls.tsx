import { formatNumber } from '../../components/format.ts';
import { Time } from '../../components/time.tsx';
import type { FaultRow } from './rows.ts';

/** The times and the number of the calls in which a fault was found. */
export const FaultCalls = ({ fault }: { fault: FaultRow }) => (
  <>
    First <Time at={fault.first_at} isRelative />, last <Time at={fault.last_at} isRelative />, failed calls:{' '}
    {failedCalls(fault)}
  </>
);

/** Says how many calls failed, and how many of them clients did not see. */
export const failedCalls = ({ count, hidden_by_fallback: hidden }: FaultRow): string =>
  hidden === 0 ? formatNumber(count) : `${formatNumber(count)} (${formatNumber(hidden)} hidden by fallback)`;
