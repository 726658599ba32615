import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { withParameters } from './address.ts';
import { withBase } from './base-path.ts';
import { API } from './call.ts';
import { isExpired, loadSession, person } from './session.ts';

export type EventTopic = 'requests' | 'operations' | 'figures';
export type EventName = 'request' | 'fault' | 'figures' | 'budget';

/** The content of an event. `account_id` is missing if it is about the installation. */
export type EventData = { account_id?: string } & Record<string, unknown>;

type Listener = {
  topic: EventTopic;
  /** Only events of this account. */
  account: string | undefined;
  hear: (name: EventName, data: EventData) => void;
};

const names: Readonly<Record<EventTopic, readonly EventName[]>> = {
  requests: ['request'],
  operations: ['fault', 'budget'],
  figures: ['figures'],
};

/** Reports whether events arrive. The pages ask in intervals while they do not. */
export const isFollowing = signal(false);

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let opened = '';
let retry: ReturnType<typeof setTimeout> | undefined;
let waitMs = FIRST_RETRY_MS;

/**
 * Returns the address of the one stream of this tab, with the subjects that its page wants. It is empty if
 * there are none.
 */
function wantedAddress(): string {
  const isWanted =
    listeners.size > 0 && person.peek() && !isExpired.peek() && document.visibilityState === 'visible';
  if (!isWanted) return '';
  const topics = [...new Set([...listeners].map(({ topic }) => topic))].sort();
  const accounts = new Set([...listeners].map(({ account }) => account));
  const account = accounts.size === 1 ? [...accounts][0] : undefined;
  return withBase(withParameters(`${API}/events`, { topics: topics.join(','), account }));
}

/** Opens the stream that is wanted now, and closes the one before it. */
function follow(): void {
  const wanted = wantedAddress();
  if (wanted === opened) return;
  clearTimeout(retry);
  source?.close();
  source = undefined;
  isFollowing.value = false;
  opened = wanted;
  if (wanted !== '') open(wanted);
}

function open(wanted: string): void {
  const stream = new EventSource(wanted);
  source = stream;
  stream.onopen = () => {
    waitMs = FIRST_RETRY_MS;
    isFollowing.value = true;
  };
  stream.onerror = () => {
    isFollowing.value = false;
    // The browser connects again by itself, unless the server refused.
    if (stream.readyState === EventSource.CLOSED) retryLater(stream);
  };
  for (const name of Object.values(names).flat())
    stream.addEventListener(name, ({ data }) => report(name, JSON.parse(data) as EventData));
}

/** A refusal can mean that the session has ended. */
function retryLater(stream: EventSource): void {
  if (stream !== source) return;
  source = undefined;
  retry = setTimeout(() => {
    opened = '';
    follow();
  }, waitMs);
  waitMs = Math.min(2 * waitMs, MAX_RETRY_MS);
  void loadSession();
}

function report(name: EventName, data: EventData): void {
  for (const { topic, account, hear } of listeners)
    if (
      names[topic].includes(name) &&
      (account === undefined || name === 'figures' || data.account_id === account)
    )
      hear(name, data);
}

let isQueued = false;

/** Pages change what they want in the same moment, so the stream is opened once for all of them. */
function followSoon(): void {
  if (isQueued) return;
  isQueued = true;
  setTimeout(() => {
    isQueued = false;
    follow();
  });
}

document.addEventListener('visibilitychange', follow);
// The browser may keep a page that was left, with its stream.
addEventListener('pagehide', () => {
  source?.close();
  opened = '';
});
addEventListener('pageshow', followSoon);
effect(() => {
  void person.value?.id;
  void isExpired.value;
  followSoon();
});

export type Following = {
  /** The wanted topic. Undefined if the page hears none. */
  topic: EventTopic | undefined;
  account?: string | undefined;
};

/** Calls back with each event of a topic while the component is shown. */
export function useEvents({ topic, account }: Following, hear: Listener['hear']): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    if (topic === undefined) return;
    const listener: Listener = { topic, account, hear: (name, data) => latest.current(name, data) };
    listeners.add(listener);
    followSoon();
    return () => {
      listeners.delete(listener);
      followSoon();
    };
  }, [topic, account]);
}
