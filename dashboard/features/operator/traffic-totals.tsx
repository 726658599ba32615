import { formatRate } from '../../components/format.ts';
import { Stat, Stats } from '../../components/stat.tsx';
import type { Traffic, TrafficFigures } from './rows.ts';
import { requestsPerMinute, type TrafficFigure, trafficFigures } from './traffic-figures.ts';

const figures: readonly (readonly [label: string, figure: TrafficFigure])[] = [
  ['Errors', trafficFigures.errorShare],
  ['Refused', trafficFigures.refusedShare],
  ['Latency p50', trafficFigures.latencyP50],
  ['Latency p95', trafficFigures.latencyP95],
  ['Latency p99', trafficFigures.latencyP99],
  ['First token p50', trafficFigures.firstTokenP50],
  ['First token p95', trafficFigures.firstTokenP95],
  ['Tokens', trafficFigures.tokens],
  ['Cache share', trafficFigures.cacheShare],
  ['Spend', trafficFigures.spend],
  ['Revenue', trafficFigures.revenue],
  ['Margin', trafficFigures.margin],
];

type TotalsProps = { traffic: Traffic; spanMs: number };

/** The figures of the whole span, each with the same figure of the previous span. */
export function TrafficTotals({ traffic: { totals, previous }, spanMs }: TotalsProps) {
  const total = (label: string, text: (sums: TrafficFigures) => string) => (
    <Stat
      key={label}
      label={label}
      value={text(totals)}
      {...(previous && { note: `before: ${text(previous)}` })}
    />
  );
  const { requests } = trafficFigures;
  return (
    <Stats>
      {total('Requests', (sums) => requests.format(requests.read(sums)))}
      {total('Requests a minute', (sums) => formatRate(requestsPerMinute(sums, spanMs)))}
      {figures.map(([label, { read, format }]) => total(label, (sums) => format(read(sums))))}
    </Stats>
  );
}
