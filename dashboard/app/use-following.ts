import { useEffect, useRef } from 'preact/hooks';
import { type EventQuery, isFollowing, useEvents } from './events.ts';

/** The shortest time between two answers to events. */
const SETTLED_MS = 2_000;

/**
 * Runs after events, at most once in a while, and once when they begin to arrive, since earlier ones were
 * missed.
 */
export function useFollowing(run: () => Promise<void>, { topic, account }: EventQuery): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ranAt = useRef(Date.now());
  const latest = useRef(run);
  latest.current = run;
  const runSoon = () => {
    const waitMs = Math.max(0, ranAt.current + SETTLED_MS - Date.now());
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      ranAt.current = Date.now();
      void latest.current();
    }, waitMs);
  };
  useEvents({ topic, account }, runSoon);
  const isOpen = topic !== undefined && isFollowing.value;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current) runSoon();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
