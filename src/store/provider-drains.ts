import type { DrainStore } from '../upstream/routing/drain-store.ts';
import type { RecordQueries } from './record-queries.ts';
import { text } from './row-columns.ts';

/** The providers that operators have drained, in both kinds of databases. */
export class ProviderDrains implements DrainStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async setDrained(provider: string, since: number | null): Promise<void> {
    await this.#queries.change({ kind: 'drain' }, (statement) =>
      since === null
        ? `DELETE FROM provider_drain WHERE provider = ${statement.bind(provider)} RETURNING provider AS id`
        : `${statement.insert('provider_drain', { provider, at: since })}
           ON CONFLICT DO NOTHING RETURNING provider AS id`,
    );
  }

  async drainedProviders(): Promise<ReadonlySet<string>> {
    const rows = await this.#queries.all('SELECT provider FROM provider_drain', []);
    return new Set(rows.map((row) => text(row, 'provider')));
  }
}
