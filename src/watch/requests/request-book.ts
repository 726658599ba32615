import { timeOfId } from '../../base/lib/ids.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { type RequestFilter, RequestReader } from './request-reader.ts';
import type { RequestRecord } from './request-record.ts';
import type { GroupQuery, KeptGroup, RequestStore } from './request-store.ts';

export type RequestPage = { limit: number; after?: string | undefined };

/** A record, its group, and the lines of the group that ended earlier. */
type RecordPosition = { group: KeptGroup; record: RequestRecord; earlier: string };
type Parts = {
  store: Pick<RequestStore, 'listRequests'>;
  now(): number;
  /** Returns the lifetime of records. */
  keptMs(): number;
};

const GROUPS_AT_A_TIME = 16;
/** A clock that was set back may give a request an id from after its end. */
const CLOCK_SLIP_MS = 60_000;
/**
 * Nearly every request ends within the first of these times after its arrival.
 * The index is searched in their order.
 */
const WINDOWS_MS = [2 * 60_000, 2 * HOUR_MS];
const NEXT_WINDOW_MS = 6 * HOUR_MS;

/** Finds the records of requests. Other work runs between two reads. */
export class RequestBook {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async find(id: string): Promise<RequestRecord | undefined> {
    return (await this.#place(id))?.record;
  }

  /** Lists records, the latest to end first. Returns an empty page if `after` is unknown. */
  async list(
    filter: RequestFilter,
    { limit, after }: RequestPage,
  ): Promise<{ items: RequestRecord[]; hasMore: boolean }> {
    const start = after === undefined ? undefined : await this.#place(after);
    if (after !== undefined && !start) return { items: [], hasMore: false };
    const items: RequestRecord[] = [];
    const reader = new RequestReader(filter);
    let before = start ? start.group.sequence + 1 : undefined;
    for (;;) {
      const groups = await this.#read({ accountId: filter.account, before, endedFrom: filter.since ?? 0 });
      for (const { sequence, lines } of groups) {
        for (const record of reader.read(sequence === start?.group.sequence ? start.earlier : lines)) {
          if (items.length === limit) return { items, hasMore: true };
          items.push(record);
        }
      }
      before = groups.at(-1)?.sequence;
      if (groups.length < GROUPS_AT_A_TIME) return { items, hasMore: false };
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #place(id: string): Promise<RecordPosition | undefined> {
    const now = this.#parts.now();
    const arrived = Math.max(timeOfId(id) - CLOCK_SLIP_MS, now - this.#parts.keptMs());
    let from = arrived;
    for (let step = 0; from <= now; step++) {
      const until = step < WINDOWS_MS.length ? arrived + WINDOWS_MS[step]! : from + NEXT_WINDOW_MS;
      const position = await this.#placeWithin(id, from, until);
      if (position) return position;
      from = until;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }

  async #placeWithin(
    id: string,
    endedFrom: number,
    endedBefore: number,
  ): Promise<RecordPosition | undefined> {
    const member = `"request_id":${JSON.stringify(id)}`;
    let before: number | undefined;
    for (;;) {
      const groups = await this.#read({ id, before, endedFrom, endedBefore });
      for (const group of groups) {
        const place = placeIn(group, member);
        if (place) return place;
      }
      before = groups.at(-1)?.sequence;
      if (groups.length < GROUPS_AT_A_TIME) return undefined;
    }
  }

  #read(query: Omit<GroupQuery, 'limit'>): Promise<KeptGroup[]> {
    const endedFrom = Math.max(query.endedFrom, this.#parts.now() - this.#parts.keptMs());
    return this.#parts.store.listRequests({ ...query, endedFrom, limit: GROUPS_AT_A_TIME });
  }
}

function placeIn(group: KeptGroup, member: string): RecordPosition | undefined {
  if (!group.lines.includes(member)) return undefined;
  const lines = group.lines.split('\n');
  const index = lines.findIndex((line) => line.includes(member));
  const record = JSON.parse(lines[index]!) as RequestRecord;
  return { group, record, earlier: lines.slice(0, index).join('\n') };
}
