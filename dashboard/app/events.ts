import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EventTopic } from '../../src/console/dashboard/event-topics.ts';
import { withParameters } from './address.ts';
import { withBase } from './base-path.ts';
import { API } from './call.ts';
import { EventStream, type StreamListener } from './event-stream.ts';
import { isExpired, loadSession, person } from './session.ts';

const stream = new EventStream({
  mayFollow: () => Boolean(person.peek()) && !isExpired.peek() && document.visibilityState === 'visible',
  addressOf: (topics, account) => withBase(withParameters(`${API}/events`, { topics, account })),
  onRefused: () => void loadSession(),
});

/** Reports whether events arrive. The pages ask in intervals while they do not. */
export const { isFollowing } = stream;

document.addEventListener('visibilitychange', () => stream.follow());
// The browser may keep a page that was left, with its stream.
addEventListener('pagehide', () => stream.close());
addEventListener('pageshow', () => stream.followSoon());
effect(() => {
  // Reading the two signals subscribes this effect to them.
  void person.value?.id;
  void isExpired.value;
  stream.followSoon();
});

export type EventQuery = {
  /** Undefined if the page follows no events. */
  topic: EventTopic | undefined;
  account?: string | undefined;
};

/** Calls back with each event of a topic while the component is shown. */
export function useEvents({ topic, account }: EventQuery, onEvent: StreamListener['onEvent']): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    if (topic === undefined) return;
    return stream.listen({ topic, account, onEvent: (name, data) => latest.current(name, data) });
  }, [topic, account]);
}
