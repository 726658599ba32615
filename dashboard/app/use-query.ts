import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { keepAnswer, keptAnswer, outdated } from './answers.ts';
import { call } from './call.ts';
import { type EventTopic, type Following, isFollowing, useEvents } from './events.ts';
import { asProblem, type Problem } from './problem.ts';

export type Query<Answer> = {
  /** The latest answer. It stays while a new one is loaded, and after a failure. */
  data: Answer | undefined;
  problem: Problem | undefined;
  /** There is no answer yet. */
  isLoading: boolean;
  /** A newer answer is on its way. */
  isRefreshing: boolean;
  refresh: () => Promise<void>;
};

export type QueryOptions = {
  /** Asks again after this time, while the page is visible. */
  pollMs?: number | undefined;
  /** Asks again after events of this topic. While they arrive, `pollMs` is not needed. */
  follows?: EventTopic | undefined;
  /** Only events of this account. */
  account?: string | undefined;
};

type State<Answer> = { path: string | null; data?: Answer; problem?: Problem; isRefreshing: boolean };

/** Reads a path of the dashboard's API. Null asks for nothing. */
export function useQuery<Answer>(
  path: string | null,
  { pollMs, follows, account }: QueryOptions = {},
): Query<Answer> {
  const first = (): State<Answer> => ({
    path,
    data: path === null ? undefined : keptAnswer<Answer>(path),
    isRefreshing: path !== null,
  });
  const [state, setState] = useState<State<Answer>>(first);
  // The answer to another path stays visible only if the new path has none.
  const shown = state.path === path ? state : { ...first(), path };
  const wanted = useRef<string | null>(null);

  const refresh = useCallback(async () => {
    if (path === null) return;
    wanted.current = path;
    setState((old) => (old.path === path ? { ...old, isRefreshing: true } : first()));
    let next: State<Answer>;
    try {
      const data = await call<Answer>('GET', path);
      keepAnswer(path, data);
      next = { path, data, isRefreshing: false };
    } catch (error) {
      next = { path, data: keptAnswer<Answer>(path), problem: asProblem(error), isRefreshing: false };
    }
    if (wanted.current === path) setState(next);
  }, [path]);

  useEffect(() => {
    void refresh();
    const stop = outdated.subscribe((change) => {
      if (change && path?.startsWith(change.prefix) && change !== changes) void refresh();
    });
    return () => {
      wanted.current = null;
      stop();
    };
  }, [refresh]);
  const changes = outdated.peek();
  const isFollowed = follows !== undefined && isFollowing.value;
  useFollowing(refresh, { topic: path === null ? undefined : follows, account });
  usePolling(refresh, path === null || isFollowed ? undefined : pollMs);

  const { data, problem, isRefreshing } = shown;
  return { data, problem, isLoading: data === undefined && !problem && path !== null, isRefreshing, refresh };
}

/** The shortest time between two answers to events. */
const SETTLED_MS = 2_000;

/**
 * Runs after events, at most once in a while, and once when they begin to arrive,
 * since earlier ones were missed.
 */
function useFollowing(run: () => Promise<void>, { topic, account }: Following): void {
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

/** Runs again and again while the page is visible, and once when it becomes visible. */
function usePolling(run: () => Promise<void>, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const runVisible = () => {
      if (document.visibilityState === 'visible') void run();
    };
    const timer = setInterval(runVisible, everyMs);
    document.addEventListener('visibilitychange', runVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runVisible);
    };
  }, [run, everyMs]);
}
