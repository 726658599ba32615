import { timeOfId } from '../../base/lib/ids.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { RequestRecord } from './request-record.ts';
import type { RequestSource } from './request-source.ts';
import type { GroupQuery, KeptGroup, RequestStore } from './request-store.ts';
import { sourceOfRecord, sourceText } from './source-of-request.ts';

export type RequestFilter = {
  account?: string | undefined;
  key?: string | undefined;
  /** The name that the client sent, or the public id of the model that answered. */
  model?: string | undefined;
  /** A status like `400`, or a class like `5xx`. */
  status?: string | undefined;
  /** Only requests that ended with an error, even after the head of a stream. */
  isFailed?: boolean | undefined;
  /** The error code. */
  code?: string | undefined;
  /** The end user that the client named. */
  user?: string | undefined;
  tag?: string | undefined;
  source?: RequestSource | undefined;
  /** Times in milliseconds. `until` is exclusive. They compare with the end of a request. */
  since?: number | undefined;
  until?: number | undefined;
};

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
    const fitting = reader(filter);
    let before = start ? start.group.sequence + 1 : undefined;
    for (;;) {
      const groups = await this.#read({ accountId: filter.account, before, endedFrom: filter.since ?? 0 });
      for (const { sequence, lines } of groups) {
        for (const record of fitting(sequence === start?.group.sequence ? start.earlier : lines)) {
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
      const found = await this.#placeWithin(id, from, until);
      if (found) return found;
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
    const named = `"request_id":${JSON.stringify(id)}`;
    let before: number | undefined;
    for (;;) {
      const groups = await this.#read({ id, before, endedFrom, endedBefore });
      for (const group of groups) {
        const place = placeIn(group, named);
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

function placeIn(group: KeptGroup, named: string): RecordPosition | undefined {
  if (!group.lines.includes(named)) return undefined;
  const lines = group.lines.split('\n');
  const index = lines.findIndex((line) => line.includes(named));
  const record = JSON.parse(lines[index]!) as RequestRecord;
  return { group, record, earlier: lines.slice(0, index).join('\n') };
}

/** Returns a function that reads the fitting records of some lines, the latest first. */
function reader(filter: RequestFilter) {
  const {
    account,
    key,
    model,
    status,
    isFailed,
    code,
    user,
    tag,
    source,
    since = 0,
    until = Number.POSITIVE_INFINITY,
  } = filter;
  const texts = [key, model, code, user, tag]
    .filter((text) => text !== undefined)
    .map((text) => JSON.stringify(text));
  const needles = [
    ...texts,
    ...(status === undefined ? [] : [`"status":${status.replace('xx', '')}`]),
    ...(isFailed ? ['"code":'] : []),
    ...(source === undefined ? [] : [sourceText[source]]),
  ];
  const fits = (one: RequestRecord): boolean =>
    one.ended_at >= since &&
    one.ended_at < until &&
    (account === undefined || one.account === account) &&
    (key === undefined || one.key_id === key) &&
    (model === undefined || one.model === model || one.served_model === model) &&
    (!isFailed || one.code !== undefined) &&
    (code === undefined || one.code === code) &&
    (user === undefined || one.user === user) &&
    (tag === undefined || one.tags?.includes(tag) === true) &&
    (source === undefined || sourceOfRecord(one) === source) &&
    (status === undefined || statusFits(one.status, status));
  return function* (lines: string): Generator<RequestRecord> {
    if (lines === '' || !needles.every((needle) => lines.includes(needle))) return;
    for (const line of lines.split('\n').reverse()) {
      if (!needles.every((needle) => line.includes(needle))) continue; // cheaper than to parse it
      const record = JSON.parse(line) as RequestRecord;
      if (fits(record)) yield record;
    }
  };
}

const statusFits = (status: number | undefined, wanted: string): boolean =>
  wanted.endsWith('xx') ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : status === Number(wanted);
