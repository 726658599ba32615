import { formatLatencies } from '../watch/traffic/latency-buckets.ts';
import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import {
  type TrafficPlace,
  type TrafficSums,
  trafficColumns,
  trafficCounts,
} from '../watch/traffic/traffic-figures.ts';
import type { TrafficRow } from '../watch/traffic/traffic-store.ts';
import { trafficNames } from './traffic-columns.ts';

/** A row as it is written. Its step is a number. */
export type WrittenTraffic = Omit<TrafficRow, 'step'> & { step: number };
/** A row of merged days. */
export type MergedRow = TrafficSums & { kind: number; at: number; slice: string; place: TrafficPlace };

/** A column as it is written, with its value in a row. */
type WrittenColumn<Row> = { name: string; type: 'text' | 'bigint'; valueIn(row: Row): string | number };

const placeColumns = trafficColumns.map(
  (column): WrittenColumn<{ place: TrafficPlace }> => ({
    name: trafficNames[column],
    type: 'text',
    valueIn: ({ place }) => place[column],
  }),
);

const figureColumns: readonly WrittenColumn<TrafficSums>[] = [
  ...trafficCounts.map(
    (count): WrittenColumn<TrafficSums> => ({
      name: count,
      type: 'bigint',
      valueIn: ({ counts }) => counts[count],
    }),
  ),
  { name: 'latency', type: 'text', valueIn: ({ latency }) => formatLatencies(latency) },
  { name: 'first_token', type: 'text', valueIn: ({ firstToken }) => formatLatencies(firstToken) },
];

const keyColumns: readonly WrittenColumn<WrittenTraffic>[] = [
  { name: 'step', type: 'bigint', valueIn: ({ step }) => step },
  { name: 'cut', type: 'bigint', valueIn: ({ cut }) => trafficCuts[cut] },
  { name: 'at', type: 'bigint', valueIn: ({ at }) => at },
  { name: 'part', type: 'bigint', valueIn: ({ part }) => part },
  ...placeColumns,
];

const writtenColumns: readonly WrittenColumn<WrittenTraffic>[] = [...keyColumns, ...figureColumns];

const mergedColumns: readonly WrittenColumn<MergedRow>[] = [
  { name: 'kind', type: 'bigint', valueIn: ({ kind }) => kind },
  { name: 'at', type: 'bigint', valueIn: ({ at }) => at },
  { name: 'slice', type: 'text', valueIn: ({ slice }) => slice },
  ...placeColumns,
  ...figureColumns,
];

/** Writes rows as lists in JSON, since there are many, and each name in each row would lengthen them. */
const listsOf = <Row>(rows: readonly Row[], written: readonly WrittenColumn<Row>[]): string =>
  JSON.stringify(rows.map((row) => written.map(({ valueIn }) => valueIn(row))));

/** Returns the parameter of `replaceTraffic`. */
export const trafficText = (rows: readonly WrittenTraffic[]): string => listsOf(rows, writtenColumns);

/** Returns the parameter of `insertMerged`. */
export const mergedText = (rows: readonly MergedRow[]): string => listsOf(rows, mergedColumns);

function insertInto<Row>(table: string, written: readonly WrittenColumn<Row>[], elements: string): string {
  const values = written.map(({ type }, index) =>
    type === 'text' ? `value ->> ${index}` : `CAST(value ->> ${index} AS bigint)`,
  );
  return `
    INSERT INTO ${table} (${namesOf(written)}) SELECT ${values.join(', ')} FROM ${elements} WHERE true`;
}

const namesOf = <Row>(written: readonly WrittenColumn<Row>[]): string =>
  written.map(({ name }) => name).join(', ');

/**
 * Returns a statement that writes all rows of a list. A row replaces the earlier one of the same place, since
 * it has all figures of its part.
 */
export const replaceTraffic = (elements: string): string => `
  ${insertInto('traffic', writtenColumns, elements)}
  ON CONFLICT (${namesOf(keyColumns)}) DO UPDATE SET
    ${figureColumns.map(({ name }) => `${name} = excluded.${name}`).join(', ')}`;

/** Returns a statement that writes the rows of a list, which are the only ones of their kind and period. */
export const insertMerged = (elements: string): string =>
  insertInto('merged_traffic', mergedColumns, elements);
