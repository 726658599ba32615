import { signal } from '@preact/signals';
import type { EventTopic } from '../../src/console/dashboard/event-topics.ts';
import type { PublishedOccurrence } from '../../src/watch/live/occurrence.ts';

type EventName = 'request' | 'figures' | PublishedOccurrence['type'];

/** The content of an event. `account_id` is missing if it is about the installation. */
type EventData = { account_id?: string } & Record<string, unknown>;

export type StreamListener = {
  topic: EventTopic;
  /** Only events of this account. */
  account: string | undefined;
  onEvent: (name: EventName, data: EventData) => void;
};

type EventStreamParts = {
  /** Reports whether the page may have a stream now. */
  mayFollow(): boolean;
  /** Returns the address of a stream of these topics. */
  addressOf(topics: string, account: string | undefined): string;
  /** The stream calls it when the server has refused it, for example since the session has ended. */
  onRefused(): void;
};

/** The events of each topic. */
const eventNames: Readonly<Record<EventTopic, readonly EventName[]>> = {
  requests: ['request'],
  operations: ['fault', 'budget'],
  figures: ['figures'],
};

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** The one stream of this tab, with the topics that its page wants. */
export class EventStream {
  /** Reports whether events arrive. The pages ask in intervals while they do not. */
  readonly isFollowing = signal(false);
  readonly #parts: EventStreamParts;
  readonly #listeners = new Set<StreamListener>();
  #source: EventSource | undefined;
  /** The address of the open stream, or an empty text if no stream is open. */
  #opened = '';
  #retry: ReturnType<typeof setTimeout> | undefined;
  #waitMs = FIRST_RETRY_MS;
  #isQueued = false;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: StreamListener): () => void {
    this.#listeners.add(listener);
    this.followSoon();
    return () => {
      this.#listeners.delete(listener);
      this.followSoon();
    };
  }

  /** Parts of a page change their topics in the same moment, so the stream is opened once for all of them. */
  followSoon(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    setTimeout(() => {
      this.#isQueued = false;
      this.follow();
    });
  }

  /** Opens the stream that is wanted now, and closes the previous stream. */
  follow(): void {
    const address = this.#wantedAddress();
    if (address === this.#opened) return;
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.isFollowing.value = false;
    this.#opened = address;
    if (address !== '') this.#open(address);
  }

  /** Closes the stream until the next call of `follow`. */
  close(): void {
    this.#source?.close();
    this.#opened = '';
  }

  #wantedAddress(): string {
    if (this.#listeners.size === 0 || !this.#parts.mayFollow()) return '';
    const listeners = [...this.#listeners];
    const topics = [...new Set(listeners.map(({ topic }) => topic))].sort();
    const accounts = new Set(listeners.map(({ account }) => account));
    const account = accounts.size === 1 ? [...accounts][0] : undefined;
    return this.#parts.addressOf(topics.join(','), account);
  }

  #open(address: string): void {
    const stream = new EventSource(address);
    this.#source = stream;
    stream.onopen = () => {
      this.#waitMs = FIRST_RETRY_MS;
      this.isFollowing.value = true;
    };
    stream.onerror = () => {
      this.isFollowing.value = false;
      // The browser connects again by itself, unless the server refused.
      if (stream.readyState === EventSource.CLOSED) this.#retryLater(stream);
    };
    for (const name of Object.values(eventNames).flat())
      stream.addEventListener(name, ({ data }) => this.#report(name, JSON.parse(data) as EventData));
  }

  /** A refusal can mean that the session has ended. */
  #retryLater(stream: EventSource): void {
    if (stream !== this.#source) return;
    this.#source = undefined;
    this.#retry = setTimeout(() => {
      this.#opened = '';
      this.follow();
    }, this.#waitMs);
    this.#waitMs = Math.min(2 * this.#waitMs, MAX_RETRY_MS);
    this.#parts.onRefused();
  }

  /** Events of figures name no account. */
  #report(name: EventName, data: EventData): void {
    for (const { topic, account, onEvent } of this.#listeners) {
      const isWanted = account === undefined || name === 'figures' || data.account_id === account;
      if (isWanted && eventNames[topic].includes(name)) onEvent(name, data);
    }
  }
}
