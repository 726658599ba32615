import { useCallback, useEffect, useState } from 'preact/hooks';
import { AnswerOrder } from './answer-order.ts';
import { keepAnswer, keptAnswer, outdated } from './answers.ts';
import { call } from './call.ts';
import type { EventTopic } from './event-stream.ts';
import { isFollowing } from './events.ts';
import { asProblem, type Problem } from './problem.ts';
import { useFollowing } from './use-following.ts';
import { usePolling } from './use-polling.ts';

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
  const first: State<Answer> = {
    path,
    data: path === null ? undefined : keptAnswer<Answer>(path),
    isRefreshing: path !== null,
  };
  const [state, setState] = useState(first);
  // A new path begins with the answer that was kept for it, never with that to another path.
  const shown = state.path === path ? state : first;
  const [order] = useState(() => new AnswerOrder());

  const refresh = useCallback(async () => {
    if (path === null) return;
    const number = order.ask();
    setState((old) => ({ ...(old.path === path ? old : first), isRefreshing: true }));
    let next: Omit<State<Answer>, 'isRefreshing'>;
    try {
      const data = await call<Answer>('GET', path);
      if (!order.accepts(number)) return;
      keepAnswer(path, data);
      next = { path, data };
    } catch (error) {
      if (!order.accepts(number)) return;
      next = { path, data: keptAnswer<Answer>(path), problem: asProblem(error) };
    }
    setState({ ...next, isRefreshing: order.isAsking });
  }, [path]);

  const changes = outdated.peek();
  useEffect(() => {
    void refresh();
    const stop = outdated.subscribe((change) => {
      if (change && path?.startsWith(change.prefix) && change !== changes) void refresh();
    });
    return () => {
      order.drop();
      stop();
    };
  }, [refresh]);
  const isFollowed = follows !== undefined && isFollowing.value;
  useFollowing(refresh, { topic: path === null ? undefined : follows, account });
  usePolling(refresh, path === null || isFollowed ? undefined : pollMs);

  const { data, problem, isRefreshing } = shown;
  return { data, problem, isLoading: data === undefined && !problem && path !== null, isRefreshing, refresh };
}
