import { useRef, useState } from 'preact/hooks';
import { navigate } from '../app/address.ts';
import { type ChartData, type ChartProps, type ChartStyle, SERIES_COLOURS } from './chart-props.ts';
import type { Column } from './column.ts';
import { headerColumn, numberColumn } from './columns.tsx';
import { formatCompact } from './format.ts';
import { orDash } from './format-parts.ts';
import { formatStep } from './format-time.ts';
import { Table } from './table.tsx';
import { useChartDrawing } from './use-chart-drawing.ts';

const timeHeaders = { minute: 'Time (UTC)', hour: 'Hour (UTC)', day: 'Day (UTC)' } as const;

/** A chart over time. The same numbers are in a table below it, for everybody and for screen readers. */
export function Chart({
  title,
  times,
  step,
  intervalMs,
  series,
  kind = 'bars',
  format = formatCompact,
  height = 220,
  hasLateTable = false,
  hrefAt,
}: ChartProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useChartDrawing(place, { times, step, intervalMs, series, kind, format, height }, (index) => {
    const href = hrefAt?.(index);
    if (href) navigate(href);
  });
  return (
    <figure class="chart">
      <figcaption class="hidden">{title}</figcaption>
      <ul class="legend" aria-hidden="true">
        {series.length > 1 &&
          series.map(({ label }, index) => (
            // Two keys can have the same name.
            <li key={index} class={`series-${index % SERIES_COLOURS}`}>
              {label}
            </li>
          ))}
      </ul>
      <div
        ref={place}
        class="chart-place"
        data-height={height}
        aria-hidden="true"
        style={{ minHeight: `${height}px` }}
      />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as a table</summary>
        {(isOpen || !hasLateTable) && (
          <ChartTable
            title={title}
            times={times}
            step={step}
            series={series}
            format={format}
            hrefAt={hrefAt}
          />
        )}
      </details>
    </figure>
  );
}

type ChartTableProps = ChartData & {
  title: string;
  format: ChartStyle['format'];
  hrefAt: ChartProps['hrefAt'];
};

/** A row of the table: the start of an interval, and its place in the series. */
type Interval = { time: string; index: number };

function ChartTable({ title, times, step, series, format, hrefAt }: ChartTableProps) {
  const columns: readonly Column<Interval>[] = [
    headerColumn('time', timeHeaders[step], ({ time, index }) =>
      hrefAt ? <a href={hrefAt(index)}>{formatStep(time, step)}</a> : formatStep(time, step),
    ),
    ...series.map(({ label, values }, line) =>
      numberColumn<Interval>(`series-${line}`, label, ({ index }) => orDash(values[index], format)),
    ),
  ];
  const rows = times.map((time, index) => ({ time, index }));
  return <Table caption={title} columns={columns} rows={rows} rowKey={({ time }) => time} sortParam="none" />;
}
