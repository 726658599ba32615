import { useCallback, useEffect, useState } from 'preact/hooks';
import type { EventTopic } from '../../src/console/dashboard/event-topics.ts';
import { AnswerOrder } from './answer-order.ts';
import { keepAnswer, keptAnswer, outdated } from './answers.ts';
import { call } from './call.ts';
import { isFollowing } from './events.ts';
import { asProblem, Problem } from './problem.ts';
import { useFollowing } from './use-following.ts';
import { useMovedOn } from './use-moved-on.ts';
import { usePolling } from './use-polling.ts';

export type Query<Answer> = {
  /** The latest answer. It stays while a new one is loaded, and after a failure. */
  data: Answer | undefined;
  problem: Problem | undefined;
  /** True until there is an answer or a problem. */
  isLoading: boolean;
  /** True while a newer answer is on its way. */
  isRefreshing: boolean;
  refresh: () => Promise<void>;
};

type QueryOptions<Answer> = {
  /** Asks again after this time, while the page is visible. */
  pollMs?: number | undefined;
  /** True for an answer that no longer changes, so that it ends the polling. */
  isFinal?: (answer: Answer) => boolean;
  /** Asks again after events of this topic. While they arrive, `pollMs` is not needed. */
  follows?: EventTopic | undefined;
  /** Only events of this account. */
  account?: string | undefined;
  /** True if the path has a span that moves on. The latest answer is shown until the next one arrives. */
  hasMovingSpan?: boolean;
};

/** The state of a query. Its path can be one that the component no longer asks for. */
type State<Answer> = { path: string | null; data?: Answer; problem?: Problem; isRefreshing: boolean };

/** Reads a path of the dashboard's API. Nothing is asked if the path is `null`. */
export function useQuery<Answer>(
  path: string | null,
  { pollMs, isFinal, follows, account, hasMovingSpan = false }: QueryOptions<Answer> = {},
): Query<Answer> {
  const initial: State<Answer> = {
    path,
    data: path === null ? undefined : keptAnswer<Answer>(path),
    isRefreshing: path !== null,
  };
  const [state, setState] = useState(initial);
  // A new path begins with the answer that was kept for this path, never with the answer to another question.
  const hasMovedOn = useMovedOn(path) && hasMovingSpan;
  const isSameQuestion = (old: State<Answer>): boolean => old.path === path || hasMovedOn;
  const shown = isSameQuestion(state) ? state : initial;
  const [order] = useState(() => new AnswerOrder());

  const refresh = useCallback(async () => {
    if (path === null) return;
    const questionNumber = order.ask();
    setState((old) => ({ ...(isSameQuestion(old) ? old : initial), path, isRefreshing: true }));
    const answer = await call<Answer>('GET', path).catch(asProblem);
    if (!order.accepts(questionNumber)) return;
    const isRefreshing = order.isAsking;
    if (answer instanceof Problem) {
      setState((old) => ({ ...(isSameQuestion(old) ? old : initial), path, problem: answer, isRefreshing }));
    } else {
      keepAnswer(path, answer);
      setState({ path, data: answer, isRefreshing });
    }
  }, [path]);

  const knownChange = outdated.peek();
  useEffect(() => {
    void refresh();
    // A subscription begins with the latest change, which the refresh above covers.
    const stop = outdated.subscribe((change) => {
      if (change && path?.startsWith(change.prefix) && change !== knownChange) void refresh();
    });
    return () => {
      order.drop();
      stop();
    };
  }, [refresh]);
  const isFollowed = follows !== undefined && isFollowing.value;
  useFollowing(refresh, { topic: path === null ? undefined : follows, account });
  const { data, problem, isRefreshing } = shown;
  const isOver = data !== undefined && isFinal?.(data) === true;
  usePolling(refresh, path === null || isFollowed || isOver ? undefined : pollMs);
  return { data, problem, isLoading: data === undefined && !problem && path !== null, isRefreshing, refresh };
}
