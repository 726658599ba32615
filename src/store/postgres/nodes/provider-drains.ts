import { text } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** The providers that operators have drained on all nodes. */
export class ProviderDrains {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async set(provider: string, isDrained: boolean): Promise<void> {
    const change = isDrained
      ? 'INSERT INTO provider_drain (provider, at) VALUES ($1, now_ms()) ON CONFLICT DO NOTHING'
      : 'DELETE FROM provider_drain WHERE provider = $1';
    await this.#queries.all(
      `WITH changed AS (${change} RETURNING 1) SELECT announce('drain', $1) FROM changed`,
      [provider],
    );
  }

  async all(): Promise<ReadonlySet<string>> {
    const rows = await this.#queries.all('SELECT provider FROM provider_drain');
    return new Set(rows.map((row) => text(row, 'provider')));
  }
}
