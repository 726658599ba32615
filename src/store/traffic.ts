import type { CountedRequests } from '../watch/traffic/counted-request-store.ts';
import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import { type TrafficColumn, trafficColumns } from '../watch/traffic/traffic-figures.ts';
import { OTHER_GROUPS, type TrafficAnswer, type TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { type TrafficStep, trafficSteps } from '../watch/traffic/traffic-step.ts';
import type { TrafficRow, TrafficStore } from '../watch/traffic/traffic-store.ts';
import type { CommonStatement, StatementSteps } from './common-queries.ts';
import { noteStatement } from './counted-requests.ts';
import { mergeAgain, mergeSteps } from './merge-traffic.ts';
import { type MergedKind, mergedKinds, readsByAccount, tableOf } from './merged-kinds.ts';
import { partsOf, type TrafficPart, usableKind } from './merged-traffic.ts';
import type { RecordQueries } from './record-queries.ts';
import { SqlStatement } from './sql-statement.ts';
import { answerOf, columns, figures, saveFrom, saveMergedFrom, sums, textOf } from './traffic-forms.ts';

/** Sums of traffic by minute, hour and day, in both kinds of databases. */
export class StoredTraffic implements TrafficStore {
  readonly #queries: RecordQueries;
  readonly #save: string;
  readonly #saveMerged: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = saveFrom(queries.forms.elementsOf('$1'));
    this.#saveMerged = saveMergedFrom(queries.forms.elementsOf('$1'));
  }

  saveTraffic(rows: readonly TrafficRow[], counted: readonly CountedRequests[] = []): Promise<void> {
    const save = {
      text: this.#save,
      values: [textOf(rows.map((row) => ({ ...row, step: trafficSteps[row.step].number })))],
    };
    const days = rows.flatMap(({ step, at }) => (step === 'day' ? at : []));
    const again = days.length > 0 ? mergeAgain(Math.min(...days)) : [];
    return this.#queries.transaction(() => runAll([save, ...again, ...counted.map(noteStatement)]));
  }

  /** Reads a long span in slices, so that the embedded store serves requests in between. */
  async readTraffic(question: TrafficQuestion): Promise<TrafficAnswer[]> {
    const { from, to, every } = question;
    const mergedTo = await this.#mergedTo(question);
    if (every === null) return this.#read(question, mergedTo);
    const answers: TrafficAnswer[] = [];
    const slice = INTERVALS_AT_A_TIME * every;
    for (let start = from; start < to; start += slice) {
      if (start > from) await new Promise((resolve) => setImmediate(resolve));
      const part = { ...question, from: start, to: Math.min(to, start + slice) };
      const firstInterval = Math.floor((start - from) / every);
      for (const answer of await this.#read(part, mergedTo))
        answers.push({ ...answer, interval: firstInterval + answer.interval });
    }
    return answers;
  }

  async busiestGroups(
    question: TrafficQuestion & { groupBy: TrafficColumn },
    limit: number,
  ): Promise<string[]> {
    const statement = new SqlStatement();
    const column = columns[question.groupBy];
    const mergedTo = await this.#mergedTo(question);
    const parts = this.#select(question, { statement, mergedTo, taken: () => `${column} AS name, requests` });
    const rows = await this.#queries.all(
      `SELECT name FROM (${parts}) AS parts
       GROUP BY name ORDER BY SUM(requests) DESC, name LIMIT ${statement.bind(limit)}`,
      statement.values,
    );
    return rows.map(({ name }) => String(name));
  }

  async mergeDays(before: number): Promise<boolean> {
    const { forUpdate } = this.#queries.forms;
    return this.#queries.transaction(() =>
      mergeSteps(before, { forUpdate, save: this.#save, saveMerged: this.#saveMerged }),
    );
  }

  async sweepTraffic(step: TrafficStep, before: number): Promise<number> {
    let removed = await this.#queries.run(removeOldestSql, [trafficSteps[step].number, before]);
    if (step === 'day')
      for (const kind of mergedKinds) {
        const end = Math.floor(before / kind.days);
        removed +=
          kind.step === null
            ? await this.#queries.run(removeMergedSql, [kind.number, end])
            : await this.#queries.run(removeOldestSql, [kind.step, end]);
      }
    return removed;
  }

  /** Returns the first day that is not merged in the kind that a question reads. */
  async #mergedTo(question: TrafficQuestion): Promise<number> {
    const kind = usableKind(question);
    if (!kind) return 0;
    const [row] = await this.#queries.all('SELECT merged_to FROM traffic_merge WHERE cut = $1', [
      kind.number,
    ]);
    return Number(row?.merged_to ?? 0);
  }

  #tableFor(question: TrafficQuestion, { merged }: TrafficPart): string {
    if (merged) return tableOf(merged);
    return readsByAccount(question)
      ? this.#queries.forms.indexed('traffic', 'traffic_by_account')
      : 'traffic';
  }

  /** Returns the selection of a question's rows, of merged days and of others. */
  #select(question: TrafficQuestion, { statement, mergedTo, taken }: Selecting): string {
    return partsOf(question, mergedTo)
      .map((part) => {
        const at = part.merged ? `at * ${part.merged.days}` : 'at';
        const conditions = conditionsOf(question, part, statement);
        return `SELECT ${taken(at)} FROM ${this.#tableFor(question, part)} WHERE ${conditions}`;
      })
      .join(' UNION ALL ');
  }

  async #read(question: TrafficQuestion, mergedTo: number): Promise<TrafficAnswer[]> {
    const { from, every, groupBy, groups } = question;
    const statement = new SqlStatement();
    const column = groupBy && columns[groupBy];
    const group =
      column && groups
        ? `CASE WHEN ${column} IN (${groups.map((name) => statement.bind(name)).join(', ')})
             THEN ${column} ELSE '${OTHER_GROUPS}' END`
        : column;
    const [first, length] = every === null ? [] : [statement.bind(from), statement.bind(every)];
    const names = ['slot', ...(group ? ['name'] : [])].join(', ');
    const parts = this.#select(question, {
      statement,
      mergedTo,
      taken: (at) =>
        `${every === null ? '0' : `(${at} - ${first}) / ${length}`} AS slot, ${group ? `${group} AS name,` : ''} ${figures}`,
    });
    const rows = await this.#queries.all(
      `SELECT ${names}, ${sums} FROM (${parts}) AS parts GROUP BY ${names} ORDER BY ${names}`,
      statement.values,
    );
    return rows.map(answerOf);
  }
}

type Selecting = { statement: SqlStatement; mergedTo: number; taken(at: string): string };

function* runAll(statements: readonly CommonStatement[]): StatementSteps<void> {
  yield statements;
}

const INTERVALS_AT_A_TIME = 30;

/** Returns the conditions of a part of a question. Their values are bound. */
function conditionsOf(question: TrafficQuestion, part: TrafficPart, statement: SqlStatement): string {
  const { where } = question;
  const wanted = trafficColumns.filter((column) => where[column] !== undefined);
  return [
    part.merged?.step === null
      ? periodsOf(question, { ...part, merged: part.merged }, statement)
      : stepsOf(question, part, statement),
    ...wanted.map((column) => `${columns[column]} = ${statement.bind(where[column]!)}`),
  ].join(' AND ');
}

/** A constant lets the planner of Postgres choose the index of the details. */
const stepsOf = ({ step, cut }: TrafficQuestion, part: TrafficPart, statement: SqlStatement): string =>
  `step = ${part.merged?.step ?? trafficSteps[step].number} AND cut = ${trafficCuts[cut]}
   AND at >= ${statement.bind(part.from)} AND at < ${statement.bind(part.to)}`;

/** Periods are listed one by one, so that the index leads to the slice in each of them. */
function periodsOf(
  { where }: TrafficQuestion,
  { merged, from, to }: TrafficPart & { merged: MergedKind },
  statement: SqlStatement,
): string {
  const periods = Array.from({ length: to - from }, (_, index) => statement.bind(from + index));
  const slice = merged.slicedBy && where[merged.slicedBy];
  return `kind = ${merged.number} AND at IN (${periods.join(', ')})
   ${slice ? `AND slice = ${statement.bind(slice)}` : ''}`;
}

const removeMergedSql = 'DELETE FROM merged_traffic WHERE kind = $1 AND at < $2';

/** Removes one minute, hour or day in each cut. */
const removeOldestSql = `
  DELETE FROM traffic WHERE step = $1 AND cut IN (0, 1, 2) AND at = (
    SELECT MIN(oldest) FROM (
      SELECT MIN(at) AS oldest FROM traffic WHERE step = $1 AND cut = 0 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 1 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 2 AND at < $2
    ) AS ends)`;
