/** The number of colours in the style sheet. Further series begin with the first colour again. */
export const SERIES_COLOURS = 8;

export type Series = { label: string; values: readonly (number | null)[] };

export type ChartStep = 'minute' | 'hour' | 'day';

export type ChartData = {
  /** ISO times, one for each value: the starts of intervals in UTC. */
  times: readonly string[];
  /** The texts that the labels show. */
  step: ChartStep;
  /** The length of an interval in milliseconds, by default the length of the step. */
  intervalMs?: number | undefined;
  series: readonly Series[];
};

export type ChartStyle = {
  /** `stacked` adds the values of all series up. */
  kind: 'line' | 'bars' | 'stacked';
  format: (value: number) => string;
  height: number;
};

/** The properties of a chart that its picture shows. */
export type PlotProps = ChartData & ChartStyle;

export type ChartProps = ChartData &
  Partial<ChartStyle> & {
    /** Says what the chart shows. */
    title: string;
    /** The table is made when it is opened, for a chart above the table that a page is about. */
    hasLateTable?: boolean;
    /** The page behind a time. A press on the chart opens it, and the table links to it. */
    hrefAt?: (index: number) => string;
  };
