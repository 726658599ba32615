import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../app/address.ts';
import { isDark } from '../app/theme.ts';
import type { ChartProps } from './chart-props.ts';
import type { Column } from './column.ts';
import { headerColumn, numberColumn } from './columns.tsx';
import { formatCompact } from './format.ts';
import { formatStep } from './format-time.ts';
import { Table } from './table.tsx';

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
  const scheme = isDark.value;
  const props = { times, step, intervalMs, series, kind, format, height };
  const latest = useRef({ props, hrefAt });
  latest.current = { props, hrefAt };
  const onPick = (index: number) => {
    const href = latest.current.hrefAt?.(index);
    if (href) navigate(href);
  };
  // Equal values are not drawn again. The functions are not compared, since each rendering makes new ones.
  const content = JSON.stringify([times, step, intervalMs, series, kind, height]);
  const removeDrawing = useRef<() => void>(undefined);
  useEffect(() => {
    let isOutdated = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (isOutdated || !place.current) return;
      // The old picture stays until the new one is there.
      removeDrawing.current?.();
      removeDrawing.current = drawChart(place.current, { ...latest.current.props, onPick });
    });
    return () => {
      isOutdated = true;
    };
  }, [content, scheme]);
  useEffect(() => () => removeDrawing.current?.(), []);
  return (
    <figure class="chart">
      <figcaption class="hidden">{title}</figcaption>
      <ul class="legend" aria-hidden="true">
        {series.length > 1 &&
          series.map(({ label }, index) => (
            <li key={label} class={`series-${index % 8}`}>
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
        {(isOpen || !hasLateTable) && <ChartTable {...{ title, times, step, series, format, hrefAt }} />}
      </details>
    </figure>
  );
}

type ChartTableProps = Required<Pick<ChartProps, 'title' | 'times' | 'step' | 'series' | 'format'>> &
  Pick<ChartProps, 'hrefAt'>;

const headers = { minute: 'Time (UTC)', hour: 'Hour (UTC)', day: 'Day (UTC)' } as const;

type Interval = { time: string; index: number };

function ChartTable({ title, times, step, series, format, hrefAt }: ChartTableProps) {
  const columns: readonly Column<Interval>[] = [
    headerColumn('time', headers[step], ({ time, index }) =>
      hrefAt ? <a href={hrefAt(index)}>{formatStep(time, step)}</a> : formatStep(time, step),
    ),
    ...series.map(({ label, values }) =>
      numberColumn<Interval>(label, label, ({ index }) => format(values[index] ?? 0)),
    ),
  ];
  const rows = times.map((time, index) => ({ time, index }));
  return <Table caption={title} columns={columns} rows={rows} rowKey={({ time }) => time} sortParam="none" />;
}
