import { timeOfId } from '../../base/lib/ids.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { type RequestFilter, RequestReader } from './request-reader.ts';
import type { RequestRecord } from './request-record.ts';
import type { GroupQuery, KeptGroup, RequestStore } from './request-store.ts';

export type RequestPage = { limit: number; after?: string | undefined };

/** A record, its group, and the lines of the group that ended earlier. */
type RecordPosition = { group: KeptGroup; record: RequestRecord; earlier: string };
type RequestBookParts = {
  store: Pick<RequestStore, 'listRequests'>;
  now(): number;
  /** Returns the lifetime of records. */
  keptMs(): number;
};

const GROUPS_AT_A_TIME = 16;
/** A clock that was set back may give a request an id from after its end. */
const CLOCK_SLIP_MS = 60_000;
/**
 * Nearly every request ends within the first of these times after its arrival. The index is searched in their
 * order.
 */
const WINDOWS_MS = [2 * 60_000, 2 * HOUR_MS];
const NEXT_WINDOW_MS = 6 * HOUR_MS;

/** Finds the records of requests. Other work runs between two reads. */
export class RequestBook {
  readonly #parts: RequestBookParts;

  constructor(parts: RequestBookParts) {
    this.#parts = parts;
  }

  async find(id: string): Promise<RequestRecord | undefined> {
    return (await this.#findPosition(id))?.record;
  }

  /** Lists records, the latest to end first. Returns an empty page if `after` is unknown. */
  async list(
    filter: RequestFilter,
    { limit, after }: RequestPage,
  ): Promise<{ items: RequestRecord[]; hasMore: boolean }> {
    const start = after === undefined ? undefined : await this.#findPosition(after);
    if (after !== undefined && !start) return { items: [], hasMore: false };
    const items: RequestRecord[] = [];
    for await (const record of this.#records(filter, start)) {
      if (items.length === limit) return { items, hasMore: true };
      items.push(record);
    }
    return { items, hasMore: false };
  }

  /** Yields the fitting records after a position, the latest to end first. */
  async *#records(filter: RequestFilter, start: RecordPosition | undefined): AsyncGenerator<RequestRecord> {
    const { account: accountId, since: endedFrom = 0 } = filter;
    const reader = new RequestReader(filter);
    if (start) yield* reader.read(start.earlier);
    const before = start?.group.sequence;
    for await (const { lines } of this.#groups({ accountId, before, endedFrom })) yield* reader.read(lines);
  }

  async #findPosition(id: string): Promise<RecordPosition | undefined> {
    const now = this.#parts.now();
    const arrivedAt = Math.max(timeOfId(id) - CLOCK_SLIP_MS, now - this.#parts.keptMs());
    let from = arrivedAt;
    for (let step = 0; from <= now; step++) {
      const windowMs = WINDOWS_MS[step];
      const until = windowMs === undefined ? from + NEXT_WINDOW_MS : arrivedAt + windowMs;
      const position = await this.#findWithin(id, from, until);
      if (position) return position;
      from = until;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  async #findWithin(id: string, endedFrom: number, endedBefore: number): Promise<RecordPosition | undefined> {
    const member = `"request_id":${JSON.stringify(id)}`;
    for await (const group of this.#groups({ id, endedFrom, endedBefore })) {
      const position = positionIn(group, member);
      if (position) return position;
    }
    return undefined;
  }

  /** Yields groups, the latest first. */
  async *#groups(query: Omit<GroupQuery, 'limit'>): AsyncGenerator<KeptGroup> {
    const { store, now, keptMs } = this.#parts;
    const endedFrom = Math.max(query.endedFrom, now() - keptMs());
    let { before } = query;
    for (;;) {
      const groups = await store.listRequests({ ...query, before, endedFrom, limit: GROUPS_AT_A_TIME });
      yield* groups;
      if (groups.length < GROUPS_AT_A_TIME) return;
      before = groups.at(-1)?.sequence;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Finds the record that has a member, in a group. */
function positionIn(group: KeptGroup, member: string): RecordPosition | undefined {
  if (!group.lines.includes(member)) return undefined;
  const lines = group.lines.split('\n');
  for (const [index, line] of lines.entries())
    if (line.includes(member))
      return { group, record: JSON.parse(line) as RequestRecord, earlier: lines.slice(0, index).join('\n') };
  return undefined;
}
