import { isoTime } from '../../base/lib/iso-time.ts';
import type { LiveBoard } from '../../watch/live/live-board.ts';
import type { LiveRequests } from '../../watch/live/live-requests.ts';
import type { ShownOccurrence } from '../../watch/live/occurrence.ts';
import type { RequestRecord } from '../../watch/requests/request-record.ts';
import type { KeptGroup } from '../../watch/requests/request-store.ts';
import { type Audience, canSee } from './audience.ts';

/** The topics that a page can follow. */
export const eventTopics = ['requests', 'operations', 'figures'] as const;
export type EventTopic = (typeof eventTopics)[number];

/** The shortest time between two events that say that figures have changed. */
const FIGURES_EVERY_MS = 5_000;
/** The most requests that a page gets at once, since it shows no more. */
const MAX_REQUESTS = 50;
/**
 * The events that wait for a slow reader.
 * The oldest are dropped, since a page asks for the present state anyway.
 */
const MAX_WAITING = 500;

/**
 * The place in both sources up to which a reader knows the events: the number of a group of records
 * (`sequence`), and the place on the board of occurrences (`at`), which is a time.
 */
export type FeedPlace = { sequence: number; at: number };

export type FeedSources = { board: LiveBoard; follower: LiveRequests; now(): number };

export type FeedOptions = {
  topics: ReadonlySet<EventTopic>;
  audience: Audience;
  /** The id of the last event of an earlier connection. */
  from: FeedPlace | undefined;
};

/** The events of one open page, as frames that wait to be written. */
export class EventFeed {
  readonly #sources: FeedSources;
  readonly #options: FeedOptions;
  readonly #wake: () => void;
  #waiting: string[] = [];
  #place: FeedPlace;
  #uncounted = 0;
  #timer: Timer | undefined;
  readonly #stops: (() => void)[] = [];
  /** The groups that came while the missed ones are read. It is undefined when those are read. */
  #early: KeptGroup[] | undefined = [];

  /** `wake` is called when frames have come. */
  constructor(sources: FeedSources, options: FeedOptions, wake: () => void) {
    this.#sources = sources;
    this.#options = options;
    this.#wake = wake;
    this.#place = options.from ?? { sequence: 0, at: sources.now() };
  }

  /** The listener. A page keeps its feed if a role changes. */
  set audience(audience: Audience) {
    this.#options.audience = audience;
  }

  /** Adds the events since `from`, and follows the sources of the topics. */
  async start(): Promise<void> {
    const { topics } = this.#options;
    if (topics.has('operations')) this.#followOccurrences();
    if (topics.has('requests') || topics.has('figures')) await this.#followRequests();
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  /** Returns the frames that wait, as one text. */
  takeFrames(): string {
    const text = this.#waiting.join('');
    this.#waiting = [];
    return text;
  }

  #followOccurrences(): void {
    const { board } = this.#sources;
    const { from } = this.#options;
    for (const occurrence of from ? board.since(from.at) : []) this.#addOccurrence(occurrence);
    this.#stops.push(board.listen((occurrence) => this.#addOccurrence(occurrence)));
  }

  /** The feed listens before it reads the missed groups, so that it misses none between the two. */
  async #followRequests(): Promise<void> {
    const { follower } = this.#sources;
    const { from, audience } = this.#options;
    this.#stops.push(follower.listen((groups) => this.#take(groups)));
    const missed = await follower.after(from?.sequence, from && audience.account);
    if (from) this.#addRequests(missed);
    else this.#place.sequence = missed.at(-1)?.sequence ?? 0;
    const sequences = new Set(missed.map(({ sequence }) => sequence));
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#addRequests(early.filter(({ sequence }) => !sequences.has(sequence)));
  }

  #take(groups: readonly KeptGroup[]): void {
    if (this.#early) this.#early.push(...groups);
    else this.#addRequests(groups);
  }

  #addOccurrence({ type, account, at, place, data }: ShownOccurrence): void {
    if (!canSee(this.#options.audience, account)) return;
    this.#place.at = Math.max(this.#place.at, place);
    this.#add(type, { ...(account !== null && { account_id: account }), at: isoTime(at), ...data });
  }

  #addRequests(groups: readonly KeptGroup[]): void {
    const shown = groups.filter(({ accountId }) => canSee(this.#options.audience, accountId));
    if (shown.length === 0) return;
    this.#place.sequence = Math.max(this.#place.sequence, ...shown.map(({ sequence }) => sequence));
    const { topics } = this.#options;
    if (topics.has('requests')) for (const line of latestLines(shown)) this.#add('request', requestOf(line));
    if (!topics.has('figures')) return;
    this.#uncounted += shown.reduce((sum, { count }) => sum + count, 0);
    this.#timer ??= setTimeout(() => this.#addFigures(), FIGURES_EVERY_MS);
  }

  #addFigures(): void {
    this.#timer = undefined;
    const requests = this.#uncounted;
    this.#uncounted = 0;
    this.#add('figures', { requests, at: isoTime(this.#sources.now()) });
  }

  #add(event: string, data: object): void {
    const id = `${this.#place.sequence}.${this.#place.at}`;
    this.#waiting.push(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#wake();
  }
}

/** Reads the place of a `Last-Event-ID`. A text of another kind is no place. */
export function placeOf(id: string | null): FeedPlace | undefined {
  const found = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? '');
  return found ? { sequence: Number(found[1]), at: Number(found[2]) } : undefined;
}

/** Returns the latest lines of some groups, the earliest first. */
const latestLines = (groups: readonly KeptGroup[]): string[] =>
  groups.flatMap(({ lines }) => lines.split('\n')).slice(-MAX_REQUESTS);

/** Returns a request as its event has it. Members see it too, so it names no provider. */
function requestOf(line: string): object {
  const record = JSON.parse(line) as RequestRecord;
  return {
    id: record.request_id,
    account_id: record.account,
    key_id: record.key_id ?? null,
    model: record.served_model ?? record.model ?? null,
    status: record.status ?? null,
    code: record.code ?? null,
    ended_at: isoTime(record.ended_at),
  };
}
