import { addFormatted, formatLatencies } from '../watch/traffic/latency-buckets.ts';
import {
  noCounts,
  type TrafficColumn,
  trafficColumns,
  trafficCounts,
} from '../watch/traffic/traffic-figures.ts';
import {
  type CountedRequests,
  type NumberedEntry,
  OTHER_GROUPS,
  type TrafficAnswer,
  type TrafficQuestion,
  type TrafficRow,
  type TrafficStep,
  type TrafficStore,
  trafficCuts,
  trafficSteps,
} from '../watch/traffic/traffic-store.ts';
import type { CommonRow, CommonStatement, StatementSteps } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { SqlStatement } from './sql-statement.ts';

/** The columns of the table, which both stores name in the same way. */
const columns: Readonly<Record<TrafficColumn, string>> = {
  provider: 'provider',
  model: 'model',
  account: 'account_id',
  key: 'key_id',
  status: 'status',
  node: 'node',
  source: 'source',
};

/** Sums of traffic by minute, hour and day, in both kinds of databases. */
export class StoredTraffic implements TrafficStore {
  readonly #queries: RecordQueries;
  readonly #save: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = saveFrom(queries.forms.elementsOf('$1'));
  }

  saveTraffic(rows: readonly TrafficRow[], counted: readonly CountedRequests[] = []): Promise<void> {
    const save = { text: this.#save, values: [JSON.stringify(rows.map(valuesOf))] };
    const notes = counted.map(({ node, at, requestIds }) => ({
      text: noteSql,
      values: [node, at, requestIds.join(' ')],
    }));
    return this.#queries.transaction(() => runAll([save, ...notes]));
  }

  async countedRequests(): Promise<CountedRequests[]> {
    const rows = await this.#queries.all(
      'SELECT node, at, request_ids FROM traffic_counted ORDER BY at, node',
      [],
    );
    return rows.map(({ node, at, request_ids: ids }) => ({
      node: String(node),
      at: Number(at),
      requestIds: ids === '' ? [] : String(ids).split(' '),
    }));
  }

  async forgetCounted(node: string, before: number = Number.MAX_SAFE_INTEGER): Promise<void> {
    await this.#queries.run('DELETE FROM traffic_counted WHERE node = $1 AND at < $2', [node, before]);
  }

  async entriesBefore(number: number | null, node: string | null): Promise<NumberedEntry[]> {
    const before = number ?? Number.MAX_SAFE_INTEGER;
    const isShared = node !== null && this.#queries.forms.isShared;
    const rows = await this.#queries.all(
      `SELECT number, id, text, hash FROM entry WHERE number < $1 ${isShared ? 'AND node = $2' : ''}
       ORDER BY number DESC LIMIT ${ENTRIES_AT_A_TIME}`,
      isShared ? [before, node] : [before],
    );
    return rows.map((row) => ({
      number: Number(row.number),
      id: String(row.id),
      text: String(row.text),
      hash: String(row.hash),
    }));
  }

  /** Reads a long span in slices, so that the embedded store serves requests in between. */
  async readTraffic(question: TrafficQuestion): Promise<TrafficAnswer[]> {
    const { from, to, every } = question;
    if (every === null) return this.#read(question);
    const answers: TrafficAnswer[] = [];
    const slice = INTERVALS_AT_A_TIME * every;
    for (let start = from; start < to; start += slice) {
      if (start > from) await new Promise((resolve) => setImmediate(resolve));
      const read = await this.#read({ ...question, from: start, to: Math.min(to, start + slice) });
      for (const one of read)
        answers.push({ ...one, interval: one.interval + Math.floor((start - from) / every) });
    }
    return answers;
  }

  async busiestGroups(
    question: TrafficQuestion & { groupBy: TrafficColumn },
    limit: number,
  ): Promise<string[]> {
    const statement = new Selection(question);
    const column = columns[question.groupBy];
    const rows = await this.#queries.all(
      `SELECT ${column} AS name FROM ${this.#tableFor(question)} WHERE ${statement.conditions}
       GROUP BY ${column} ORDER BY SUM(requests) DESC, ${column} LIMIT ${statement.bind(limit)}`,
      statement.values,
    );
    return rows.map(({ name }) => String(name));
  }

  async sweepTraffic(step: TrafficStep, before: number): Promise<number> {
    return this.#queries.run(removeOldestSql, [trafficSteps[step].number, before]);
  }

  #tableFor({ cut, where }: TrafficQuestion): string {
    const isOfAccount = cut === 'details' && where.account !== undefined;
    return isOfAccount ? this.#queries.forms.indexed('traffic', 'traffic_by_account') : 'traffic';
  }

  async #read(question: TrafficQuestion): Promise<TrafficAnswer[]> {
    const { from, every, groupBy, groups } = question;
    const statement = new Selection(question);
    const interval = every === null ? '0' : `(at - ${statement.bind(from)}) / ${statement.bind(every)}`;
    const column = groupBy && columns[groupBy];
    const group =
      column && groups
        ? `CASE WHEN ${column} IN (${groups.map((one) => statement.bind(one)).join(', ')})
             THEN ${column} ELSE '${OTHER_GROUPS}' END`
        : column;
    const names = ['slot', ...(group ? ['name'] : [])].join(', ');
    const rows = await this.#queries.all(
      `SELECT ${names}, ${sums} FROM (
         SELECT ${interval} AS slot, ${group ? `${group} AS name,` : ''} ${taken}
         FROM ${this.#tableFor(question)} WHERE ${statement.conditions}
       ) AS parts GROUP BY ${names} ORDER BY ${names}`,
      statement.values,
    );
    return rows.map(answerOf);
  }
}

function* runAll(statements: readonly CommonStatement[]): StatementSteps<void> {
  yield statements;
}

const INTERVALS_AT_A_TIME = 30;
export const ENTRIES_AT_A_TIME = 500;

/** Two flushes of a process can have the same millisecond. */
const noteSql = `
  INSERT INTO traffic_counted (node, at, request_ids) VALUES ($1, $2, $3)
  ON CONFLICT (node, at) DO UPDATE SET request_ids = traffic_counted.request_ids || ' ' || excluded.request_ids`;

/** The conditions of a question, with their values. */
class Selection extends SqlStatement {
  readonly conditions: string;

  constructor({ step, cut, from, to, where }: TrafficQuestion) {
    super();
    const wanted = trafficColumns.filter((column) => where[column] !== undefined);
    this.conditions = [
      // A constant lets the planner of Postgres choose the index of the details.
      `step = ${trafficSteps[step].number} AND cut = ${trafficCuts[cut]}`,
      `at >= ${this.bind(from)} AND at < ${this.bind(to)}`,
      ...wanted.map((column) => `${columns[column]} = ${this.bind(where[column]!)}`),
    ].join(' AND ');
  }
}

const taken = [...trafficCounts, 'latency', 'first_token'].join(', ');
const sums = [
  ...trafficCounts.map((count) => `SUM(${count}) AS ${count}`),
  "string_agg(latency, ' ') AS latency",
  "string_agg(first_token, ' ') AS first_token",
].join(', ');

function answerOf(row: CommonRow): TrafficAnswer {
  const counts = noCounts();
  for (const name of trafficCounts) counts[name] = Number(row[name]);
  const answer: TrafficAnswer = {
    interval: Number(row.slot),
    group: row.name === undefined ? null : String(row.name),
    counts,
    latency: new Map(),
    firstToken: new Map(),
  };
  addFormatted(answer.latency, String(row.latency ?? ''));
  addFormatted(answer.firstToken, String(row.first_token ?? ''));
  return answer;
}

const KEY = ['step', 'cut', 'at', 'part', ...trafficColumns.map((column) => columns[column])];
const FIGURES = [...trafficCounts, 'latency', 'first_token'];
const TEXTS: ReadonlySet<string> = new Set([...Object.values(columns), 'latency', 'first_token']);

/** The values of a row, in the order of the columns. */
const valuesOf = ({ step, cut, at, part, place, counts, latency, firstToken }: TrafficRow) => [
  trafficSteps[step].number,
  trafficCuts[cut],
  at,
  part,
  ...trafficColumns.map((column) => place[column]),
  ...trafficCounts.map((count) => counts[count]),
  formatLatencies(latency),
  formatLatencies(firstToken),
];

const read = [...KEY, ...FIGURES].map((name, index) =>
  TEXTS.has(name) ? `value ->> ${index}` : `CAST(value ->> ${index} AS bigint)`,
);

/** Writes all rows of a list. A row replaces the earlier one of the same place, since it has all figures of its part. */
const saveFrom = (elements: string): string => `
  INSERT INTO traffic (${[...KEY, ...FIGURES].join(', ')})
  SELECT ${read.join(', ')}
  FROM ${elements} WHERE true
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${FIGURES.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Removes one minute, hour or day in each cut. */
const removeOldestSql = `
  DELETE FROM traffic WHERE step = $1 AND cut IN (0, 1, 2) AND at = (
    SELECT MIN(oldest) FROM (
      SELECT MIN(at) AS oldest FROM traffic WHERE step = $1 AND cut = 0 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 1 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 2 AND at < $2
    ) AS ends)`;
