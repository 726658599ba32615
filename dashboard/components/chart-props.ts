export type Series = { label: string; values: readonly (number | null)[] };

export type ChartProps = {
  /** Says what the chart shows. */
  title: string;
  /** ISO times, one for each value: the starts of hours or days in UTC. */
  times: readonly string[];
  step: 'hour' | 'day';
  series: readonly Series[];
  /** `stacked` adds the values of all series up. */
  kind?: 'line' | 'bars' | 'stacked';
  format?: (value: number) => string;
  height?: number;
  /** The page behind a time. A press on the chart opens it, and the table links to it. */
  hrefAt?: (index: number) => string;
};
