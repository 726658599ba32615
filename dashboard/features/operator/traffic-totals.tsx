import {
  formatCompact,
  formatNumber,
  formatPercent,
  formatRate,
  formatUsd,
} from '../../components/format.ts';
import { formatDuration } from '../../components/format-time.ts';
import { Stat, Stats } from '../../components/stat.tsx';
import type { Traffic, TrafficFigures } from './rows.ts';

const MINUTE_MS = 60_000;

type Figure = {
  label: string;
  read(figures: TrafficFigures, spanMs: number): number | null;
  format(value: number | null): string;
};

const perMinute = ({ requests }: TrafficFigures, spanMs: number) => requests / (spanMs / MINUTE_MS);

const figures: readonly Figure[] = [
  { label: 'Requests', read: ({ requests }) => requests, format: formatNumber },
  { label: 'Requests a minute', read: perMinute, format: formatRate },
  {
    label: 'Errors',
    read: ({ errors, requests }) => (requests === 0 ? null : errors / requests),
    format: formatPercent,
  },
  {
    label: 'Refused',
    read: ({ refused, requests }) => (requests === 0 ? null : refused / requests),
    format: formatPercent,
  },
  { label: 'Latency p50', read: ({ latency_ms }) => latency_ms.p50, format: formatDuration },
  { label: 'Latency p95', read: ({ latency_ms }) => latency_ms.p95, format: formatDuration },
  { label: 'Latency p99', read: ({ latency_ms }) => latency_ms.p99, format: formatDuration },
  { label: 'First token p50', read: ({ first_token_ms }) => first_token_ms.p50, format: formatDuration },
  { label: 'First token p95', read: ({ first_token_ms }) => first_token_ms.p95, format: formatDuration },
  {
    label: 'Tokens',
    read: ({ input_tokens: input, output_tokens: output }) => input + output,
    format: formatCompact,
  },
  { label: 'Cache share', read: ({ cache_share: share }) => share, format: formatPercent },
  { label: 'Spend', read: ({ spend_usd: usd }) => usd, format: formatUsd },
  { label: 'Revenue', read: ({ revenue_usd: usd }) => usd, format: formatUsd },
  { label: 'Margin', read: ({ margin_usd: usd }) => usd, format: formatUsd },
];

/** The figures of the whole span, each with that of the span before. */
export const TrafficTotals = ({
  traffic: { totals, previous },
  spanMs,
}: {
  traffic: Traffic;
  spanMs: number;
}) => (
  <Stats>
    {figures.map(({ label, read, format }) => (
      <Stat
        key={label}
        label={label}
        value={format(read(totals, spanMs))}
        {...(previous && { note: `before: ${format(read(previous, spanMs))}` })}
      />
    ))}
  </Stats>
);
