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
  const { totals, series } = report;
  // All series have a value for each interval.
  const tokens = series.output_tokens.map(
    (output, index) => output + series.uncached_input_tokens[index]! + series.cached_input_tokens[index]!,
  );
  return (
    <Stats>
      <Stat
        label="Spend"
        value={formatMicrocreditsInUsd(totals.microcredits)}
        note={changeOf(report, 'microcredits')}
        values={series.microcredits}
        href={withQuery({ metric: null })}
      />
      <Stat
        label="Requests"
        value={formatNumber(totals.requests)}
        note={changeOf(report, 'requests')}
        values={series.requests}
        href={withQuery({ metric: 'requests' })}
      />
      <Stat
        label="Tokens"
        value={formatTokens(tokensOf(totals))}
        note={tokenNote(totals)}
        values={tokens}
        href={withQuery({ metric: 'tokens' })}
      />
      <Stat
        label="Errors"
        value={formatNumber(totals.errors)}
        note={errorNote(totals)}
        values={series.errors}
        href={withQuery({ metric: 'errors' })}
      />
    </Stats>
  );
}

const tokenNote = (totals: UsageFigures): string => {
  const { uncached_input_tokens: uncached, cached_input_tokens: cached, output_tokens: output } = totals;
  return `${formatTokens(uncached)} uncached, ${formatTokens(cached)} cached, ${formatTokens(output)} output`;
};

function errorNote({ requests, errors }: UsageFigures): string {
  const count = requests + errors;
  return count === 0 ? 'No requests' : `${formatPercent(errors / count)} of all requests`;
}

/** Compares a figure with the same figure of the previous span. */
function changeOf({ totals, previous }: UsageReport, figure: keyof UsageFigures): string | undefined {
  if (!previous) return undefined;
  if (previous[figure] === 0) return 'None in the previous period';
  const change = totals[figure] / previous[figure] - 1;
  const sign = change > 0 ? '+' : '';
  return `${sign}${formatPercent(change)} from the previous period`;
}
