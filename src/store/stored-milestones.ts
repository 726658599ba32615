import type { Milestone, MilestoneStore } from '../watch/traffic/milestone-store.ts';
import type { RecordQueries } from './record-queries.ts';
import { number } from './row-columns.ts';

/** The first times of milestones, in both kinds of databases. */
export class StoredMilestones implements MilestoneStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async noteMilestone(name: Milestone, at: number): Promise<void> {
    await this.#queries.run(
      'INSERT INTO milestone (name, at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      [name, at],
    );
  }

  async milestone(name: Milestone): Promise<number | undefined> {
    const [row] = await this.#queries.all('SELECT at FROM milestone WHERE name = $1', [name]);
    return row && number(row, 'at');
  }
}
