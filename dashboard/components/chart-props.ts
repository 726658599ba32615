/** The colours of the style sheet. More series begin with the first one again. */
export const SERIES_COLOURS = 8;

export type Series = { label: string; values: readonly (number | null)[] };

export type ChartStep = 'minute' | 'hour' | 'day';

export type ChartProps = {
  /** Says what the chart shows. */
  title: string;
  /** ISO times, one for each value: the starts of intervals in UTC. */
  times: readonly string[];
  /** The texts that the labels show. */
  step: ChartStep;
  /** The length of an interval in milliseconds. The default is that of the step. */
  intervalMs?: number | undefined;
  series: readonly Series[];
  /** `stacked` adds the values of all series up. */
  kind?: 'line' | 'bars' | 'stacked';
  format?: (value: number) => string;
  height?: number;
  /** The table is made when it is opened, for a chart above the table that a page is about. */
  hasLateTable?: boolean;
  /** The page behind a time. A press on the chart opens it, and the table links to it. */
  hrefAt?: (index: number) => string;
};
