import type { AdminArguments } from '../../console/admin/admin-calls.ts';
import { allItems, type PageOrder } from './all-items.ts';

/**
 * The time after which a record can appear behind one that ended later. Records are written in groups, and by
 * several processes.
 */
const LATE_MS = 5_000;

type Query = NonNullable<AdminArguments<'GET /requests'>['query']>;
/** The members of a request that order it. */
type EndedRequest = { id: string; ended_at: string };

export type FollowerParts<Row> = {
  filters: Query;
  /** Reads a page of requests, the latest first. */
  read(query: Query): Promise<{ data: Row[]; has_more: boolean }>;
};

/** Returns each request once, in the order of their ends, as far as the server has recorded them. */
export class RequestFollower<Row extends EndedRequest> {
  readonly #parts: FollowerParts<Row>;
  /** The end times of the requests that were returned and that a further read can contain. */
  readonly #endTimes = new Map<string, number>();
  /** The latest end of a request that was read. */
  #latest = Number.NEGATIVE_INFINITY;
  readonly #filterSince: number;
  #since: number | undefined;

  constructor(parts: FollowerParts<Row>) {
    this.#parts = parts;
    this.#filterSince = Date.parse(parts.filters.since ?? '') || 0;
  }

  /** Returns the latest requests that were recorded. Without a number it returns all that fit the filters. */
  async start(lines: number | undefined): Promise<Row[]> {
    if (lines === undefined) return this.#take(await this.#readAll());
    // One is read in any case, since its end shows the server's clock.
    const { data } = await this.#read({ limit: Math.max(1, lines) });
    const requests = this.#take(data);
    const latest = data[0]?.ended_at;
    if (latest === undefined) return [];
    for (const earlier of await this.#readAll()) if (earlier.ended_at <= latest) this.#note(earlier);
    return lines === 0 ? [] : requests;
  }

  /** Returns the requests that were recorded since the last call. */
  async next(): Promise<Row[]> {
    return this.#take(await this.#readAll());
  }

  #readAll(): Promise<Row[]> {
    return Array.fromAsync(
      allItems(async (page) => {
        const { data, has_more } = await this.#read(page);
        return { items: data, hasMore: has_more };
      }),
    );
  }

  #read(page: PageOrder): ReturnType<FollowerParts<Row>['read']> {
    const since = this.#since === undefined ? {} : { since: new Date(this.#since).toISOString() };
    return this.#parts.read({ ...this.#parts.filters, ...since, ...page });
  }

  /** Returns the requests that were not returned before, and moves the start of the next read. */
  #take(data: readonly Row[]): Row[] {
    const newRequests = data.filter(({ id }) => !this.#endTimes.has(id)).reverse();
    for (const request of newRequests) this.#note(request);
    const from = this.#latest - LATE_MS;
    if (Number.isFinite(from)) this.#since = Math.max(from, this.#filterSince);
    for (const [id, endedAt] of this.#endTimes) if (endedAt < from) this.#endTimes.delete(id);
    return newRequests;
  }

  #note({ id, ended_at }: EndedRequest): void {
    const endedAt = Date.parse(ended_at);
    this.#endTimes.set(id, endedAt);
    this.#latest = Math.max(this.#latest, endedAt);
  }
}
