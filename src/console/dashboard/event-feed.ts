import { isoTime } from '../../base/lib/iso-time.ts';
import type { LiveBoard } from '../../watch/live/live-board.ts';
import type { LiveRequests } from '../../watch/live/live-requests.ts';
import type { ShownOccurrence } from '../../watch/live/occurrence.ts';
import type { KeptGroup } from '../../watch/requests/request-store.ts';
import { type Audience, canSee } from './audience.ts';
import type { EventTopic } from './event-topics.ts';
import { type FeedPlace, formatPlace } from './feed-place.ts';
import { requestEventsOf } from './request-events-of.ts';

/** The shortest time between two events that say that figures have changed. */
const FIGURES_EVERY_MS = 5_000;
/**
 * The events that wait for a slow reader. The oldest are dropped, since a page asks for the present state
 * anyway.
 */
const MAX_WAITING = 500;

export type FeedSources = { board: LiveBoard; follower: LiveRequests; now(): number };

export type FeedOptions = {
  topics: ReadonlySet<EventTopic>;
  audience: Audience;
  /** The place of the last event of an earlier connection. */
  from: FeedPlace | undefined;
};

/** The events of one open page, as frames that wait to be written. */
export class EventFeed {
  readonly #sources: FeedSources;
  readonly #options: FeedOptions;
  readonly #wake: () => void;
  #waiting: string[] = [];
  #place: FeedPlace;
  /** The requests since the last event that says that figures have changed. */
  #unreported = 0;
  #figuresTimer: Timer | undefined;
  /** Each of them ends the listening to one source. */
  readonly #stops: (() => void)[] = [];
  /** The groups that came while the missed ones were read. Undefined after these are added. */
  #early: KeptGroup[] | undefined = [];

  /** `wake` is called when frames have come. */
  constructor(sources: FeedSources, options: FeedOptions, wake: () => void) {
    this.#sources = sources;
    this.#options = options;
    this.#wake = wake;
    this.#place = options.from ?? { sequence: 0, ...sources.board.place };
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
    clearTimeout(this.#figuresTimer);
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
    for (const occurrence of from ? board.after(from) : []) this.#addOccurrence(occurrence);
    this.#stops.push(board.listen((occurrence) => this.#addOccurrence(occurrence)));
  }

  /** The feed listens before it reads the missed groups, so that it misses none between the two. */
  async #followRequests(): Promise<void> {
    const { follower } = this.#sources;
    const { from, audience } = this.#options;
    this.#stops.push(follower.listen((groups) => this.#takeGroups(groups)));
    const missed = await follower.after(from?.sequence, from && audience.account);
    if (from) this.#addRequests(missed);
    else this.#place.sequence = missed.at(-1)?.sequence ?? 0;
    const sequences = new Set(missed.map(({ sequence }) => sequence));
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#addRequests(early.filter(({ sequence }) => !sequences.has(sequence)));
  }

  /** Adds groups, or keeps them until the missed ones are added. */
  #takeGroups(groups: readonly KeptGroup[]): void {
    if (this.#early) this.#early.push(...groups);
    else this.#addRequests(groups);
  }

  #addOccurrence({ type, account, at, data, number }: ShownOccurrence): void {
    if (!canSee(this.#options.audience, account)) return;
    Object.assign(this.#place, this.#sources.board.place, { number });
    this.#add(type, { ...(account !== null && { account_id: account }), at: isoTime(at), ...data });
  }

  #addRequests(groups: readonly KeptGroup[]): void {
    const shown = groups.filter(({ accountId }) => canSee(this.#options.audience, accountId));
    if (shown.length === 0) return;
    this.#place.sequence = Math.max(this.#place.sequence, ...shown.map(({ sequence }) => sequence));
    const { topics } = this.#options;
    if (topics.has('requests')) for (const event of requestEventsOf(shown)) this.#add('request', event);
    if (!topics.has('figures')) return;
    this.#unreported += shown.reduce((sum, { count }) => sum + count, 0);
    this.#figuresTimer ??= setTimeout(() => this.#addFigures(), FIGURES_EVERY_MS);
  }

  #addFigures(): void {
    this.#figuresTimer = undefined;
    const requests = this.#unreported;
    this.#unreported = 0;
    this.#add('figures', { requests, at: isoTime(this.#sources.now()) });
  }

  #add(event: string, data: object): void {
    const id = formatPlace(this.#place);
    this.#waiting.push(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#wake();
  }
}
