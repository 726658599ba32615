import type { UsageFigures, UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { withQuery } from '../../app/address.ts';
import { formatNumber, formatPercent, formatTokens } from '../../components/format.ts';
import { formatMicrocreditsInUsd } from '../../components/microcredits.ts';
import { Stat, Stats } from '../../components/stat.tsx';
import { metrics, tokensOf } from './metrics.ts';

/** The totals of the span with their course. Each of them is a link that charts it. */
export function Totals({ report }: { report: UsageReport | undefined }) {
  if (!report) {
    return (
      <Stats>
        {Object.values(metrics).map(({ label }) => (
          <Stat key={label} label={label} value={undefined} note="Loading" values={[]} />
        ))}
      </Stats>
    );
  }
  const { totals, previous, series } = report;
  const tokens = series.output_tokens.map(
    (output, index) => output + series.uncached_input_tokens[index]! + series.cached_input_tokens[index]!,
  );
  const requestCount = totals.requests + totals.errors;
  return (
    <Stats>
      <Stat
        label="Spend"
        value={formatMicrocreditsInUsd(totals.microcredits)}
        note={changeOf(totals, previous, 'microcredits')}
        values={series.microcredits}
        href={withQuery({ metric: null })}
      />
      <Stat
        label="Requests"
        value={formatNumber(totals.requests)}
        note={changeOf(totals, previous, 'requests')}
        values={series.requests}
        href={withQuery({ metric: 'requests' })}
      />
      <Stat
        label="Tokens"
        value={formatTokens(tokensOf(totals))}
        note={`${formatTokens(totals.uncached_input_tokens)} uncached, ${formatTokens(totals.cached_input_tokens)} cached, \
${formatTokens(totals.output_tokens)} output`}
        values={tokens}
        href={withQuery({ metric: 'tokens' })}
      />
      <Stat
        label="Errors"
        value={formatNumber(totals.errors)}
        note={
          requestCount === 0
            ? 'No requests'
            : `${formatPercent(totals.errors / requestCount)} of all requests`
        }
        values={series.errors}
        href={withQuery({ metric: 'errors' })}
      />
    </Stats>
  );
}

function changeOf(
  now: UsageFigures,
  before: UsageFigures | null,
  figure: keyof UsageFigures,
): string | undefined {
  if (!before) return undefined;
  if (before[figure] === 0) return 'None in the previous period';
  const change = now[figure] / before[figure] - 1;
  const sign = change > 0 ? '+' : '';
  return `${sign}${formatPercent(change)} from the previous period`;
}
