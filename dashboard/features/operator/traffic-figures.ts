import { MINUTE_MS } from '../../../src/base/lib/units.ts';
import { formatCompact, formatNumber, formatPercent, formatUsd } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import type { TrafficFigures } from './rows.ts';

/** A figure of traffic, as the chart, the totals and the table of groups show it. */
export type TrafficFigure = {
  read(figures: TrafficFigures): number | null;
  format(value: number | null): string;
};

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const trafficFigures = {
  requests: { read: ({ requests }) => requests, format: formatNumber },
  errorShare: { read: ({ errors, requests }) => shareOf(errors, requests), format: formatPercent },
  refusedShare: { read: ({ refused, requests }) => shareOf(refused, requests), format: formatPercent },
  errors: { read: ({ errors }) => errors, format: formatCompact },
  refused: { read: ({ refused }) => refused, format: formatCompact },
  latencyP50: { read: ({ latency_ms }) => latency_ms.p50, format: formatDuration },
  latencyP95: { read: ({ latency_ms }) => latency_ms.p95, format: formatDuration },
  latencyP99: { read: ({ latency_ms }) => latency_ms.p99, format: formatDuration },
  firstTokenP50: { read: ({ first_token_ms }) => first_token_ms.p50, format: formatDuration },
  firstTokenP95: { read: ({ first_token_ms }) => first_token_ms.p95, format: formatDuration },
  tokens: { read: ({ input_tokens, output_tokens }) => input_tokens + output_tokens, format: formatCompact },
  cacheShare: { read: ({ cache_share }) => cache_share, format: formatPercent },
  spend: { read: ({ spend_usd }) => spend_usd, format: formatUsd },
  revenue: { read: ({ revenue_usd }) => revenue_usd, format: formatUsd },
  margin: { read: ({ margin_usd }) => margin_usd, format: formatUsd },
} as const satisfies Readonly<Record<string, TrafficFigure>>;

/** Returns the requests a minute of a span or an interval. */
export const requestsPerMinute = ({ requests }: TrafficFigures, lengthMs: number): number =>
  requests / (lengthMs / MINUTE_MS);
