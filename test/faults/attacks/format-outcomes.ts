import { type Column, formatTable } from '../../../src/program/cli/format-table.ts';
import type { Outcome } from './run-attack.ts';

export type Judged = Outcome & { verdict: readonly string[] };

const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : 'failed');
const backAfter = ({ back }: Outcome): string => {
  const times = Object.values(back);
  return times.includes(undefined) ? 'no' : (Math.max(...(times as number[])) / 1_000).toFixed(1);
};
const statuses = ({ attacker }: Outcome): string =>
  Object.entries(attacker)
    .map(([status, count]) => `${count}×${status === '0' ? 'closed' : status}`)
    .join(' ');

const columns: readonly Column<Judged>[] = [
  { title: 'attack', cell: ({ name }) => name },
  { title: 'quiet p50/p99 ms', cell: ({ quiet }) => `${ms(quiet.p50)}/${ms(quiet.p99)}` },
  { title: 'attacked p50/p99 ms', cell: ({ during }) => `${ms(during.p50)}/${ms(during.p99)}` },
  { title: 'control p99', cell: ({ control }) => ms(control.p99) },
  { title: 'failed', cell: ({ during }) => during.failed.length },
  { title: 'quiet MB', cell: ({ quietMb }) => quietMb },
  { title: 'peak MB', cell: ({ peakMb }) => peakMb },
  { title: 'back s', cell: backAfter },
  { title: 'lost', cell: ({ lost }) => lost.length },
  { title: 'attacker', cell: statuses },
  { title: 'verdict', cell: ({ verdict }) => (verdict.length === 0 ? 'holds' : verdict.join('; ')) },
];

/** Formats one row for each attack. */
export const formatOutcomes = (outcomes: readonly Judged[]): string => formatTable(columns, outcomes);
