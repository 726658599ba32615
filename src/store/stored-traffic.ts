import { nextTurn } from '../base/lib/next-turn.ts';
import type { CountedRequests } from '../watch/traffic/counted-request-store.ts';
import type { TrafficColumn } from '../watch/traffic/traffic-figures.ts';
import { OTHER_GROUPS, type TrafficAnswer, type TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { type TrafficStep, trafficSteps } from '../watch/traffic/traffic-step.ts';
import type { TrafficRow, TrafficStore } from '../watch/traffic/traffic-store.ts';
import type { CommonStatement, StatementSteps } from './common-queries.ts';
import { mergeAgain, mergeSteps } from './merge-traffic.ts';
import { type MergedKind, mergedKinds } from './merged-kinds.ts';
import { noteStatement } from './noted-requests.ts';
import type { RecordQueries } from './record-queries.ts';
import { selectTraffic } from './select-traffic.ts';
import { mergedKindFor } from './split-span.ts';
import { SqlStatement } from './sql-statement.ts';
import { answerOf, trafficFigures, trafficNames, trafficSums } from './traffic-columns.ts';
import { insertMerged, replaceTraffic, trafficText } from './traffic-writes.ts';

/** The intervals of an answer that are read without a pause. */
const INTERVALS_AT_A_TIME = 30;

const removeMergedSql = 'DELETE FROM merged_traffic WHERE kind = $1 AND at < $2';

/** Removes one minute, hour or day in each cut. */
const removeOldestSql = `
  DELETE FROM traffic WHERE step = $1 AND cut IN (0, 1, 2) AND at = (
    SELECT MIN(oldest) FROM (
      SELECT MIN(at) AS oldest FROM traffic WHERE step = $1 AND cut = 0 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 1 AND at < $2
      UNION ALL SELECT MIN(at) FROM traffic WHERE step = $1 AND cut = 2 AND at < $2
    ) AS ends)`;

/** Sums of traffic by minute, hour and day, in both kinds of databases. */
export class StoredTraffic implements TrafficStore {
  readonly #queries: RecordQueries;
  readonly #save: string;
  readonly #saveMerged: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = replaceTraffic(queries.forms.elementsOf('$1'));
    this.#saveMerged = insertMerged(queries.forms.elementsOf('$1'));
  }

  saveTraffic(rows: readonly TrafficRow[], counted: readonly CountedRequests[] = []): Promise<void> {
    const numbered = rows.map((row) => ({ ...row, step: trafficSteps[row.step].number }));
    const save = { text: this.#save, values: [trafficText(numbered)] };
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
      if (start > from) await nextTurn();
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
    const { forms } = this.#queries;
    const statement = new SqlStatement();
    const columns = () => `${trafficNames[question.groupBy]} AS name, requests`;
    const mergedTo = await this.#mergedTo(question);
    const selected = selectTraffic(question, { forms, statement, mergedTo, columns });
    const rows = await this.#queries.all(
      `SELECT name FROM (${selected}) AS parts
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
    if (step === 'day') for (const kind of mergedKinds) removed += await this.#sweepMerged(kind, before);
    return removed;
  }

  #sweepMerged({ number, step, days }: MergedKind, before: number): Promise<number> {
    const end = Math.floor(before / days);
    return step === null
      ? this.#queries.run(removeMergedSql, [number, end])
      : this.#queries.run(removeOldestSql, [step, end]);
  }

  /** Returns the first day that is not merged in the kind that a question reads. */
  async #mergedTo(question: TrafficQuestion): Promise<number> {
    const kind = mergedKindFor(question);
    if (!kind) return 0;
    const [row] = await this.#queries.all('SELECT merged_to FROM traffic_merge WHERE cut = $1', [
      kind.number,
    ]);
    return Number(row?.merged_to ?? 0);
  }

  async #read(question: TrafficQuestion, mergedTo: number): Promise<TrafficAnswer[]> {
    const { forms } = this.#queries;
    const statement = new SqlStatement();
    const group = groupIn(question, statement);
    const slotOf = slotIn(question, statement);
    const columns = (at: string) =>
      `${slotOf(at)} AS slot, ${group ? `${group} AS name,` : ''} ${trafficFigures}`;
    const selected = selectTraffic(question, { forms, statement, mergedTo, columns });
    const names = group ? 'slot, name' : 'slot';
    const rows = await this.#queries.all(
      `SELECT ${names}, ${trafficSums} FROM (${selected}) AS parts GROUP BY ${names} ORDER BY ${names}`,
      statement.values,
    );
    return rows.map(answerOf);
  }
}

/** Returns the group of a row. It is undefined if the question groups nothing. */
function groupIn({ groupBy, groups }: TrafficQuestion, statement: SqlStatement): string | undefined {
  if (!groupBy) return undefined;
  const column = trafficNames[groupBy];
  if (!groups) return column;
  const listed = groups.map((name) => statement.bind(name)).join(', ');
  return `CASE WHEN ${column} IN (${listed}) THEN ${column} ELSE '${OTHER_GROUPS}' END`;
}

/** Returns a function that makes the interval of a row from its step. */
function slotIn({ from, every }: TrafficQuestion, statement: SqlStatement): (at: string) => string {
  if (every === null) return () => '0';
  const first = statement.bind(from);
  const length = statement.bind(every);
  return (at) => `(${at} - ${first}) / ${length}`;
}

function* runAll(statements: readonly CommonStatement[]): StatementSteps<void> {
  yield statements;
}
