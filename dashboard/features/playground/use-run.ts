import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { inOrganization } from '../../app/session.ts';
import { type AssistantTurn, emptyAnswer, type Turn } from './conversation.ts';
import { dialectOf, endpointOf } from './dialects.ts';
import type { ToolDefinition } from './read-tools.ts';
import { hasContent, type Observed, runRequest } from './run-request.ts';
import { sentTurns, withFailure } from './sent-turns.ts';
import type { Settings } from './settings.ts';

export type RunState = {
  isRunning: boolean;
  /** The answer so far, or `null` if no request is under way. */
  answer: AssistantTurn | null;
  /** The part of the latest request that the browser saw. */
  observed: Observed | null;
  /** The latest answer that has ended. */
  latest: AssistantTurn | null;
  start(turns: readonly Turn[]): Promise<void>;
  stop(): void;
  /** Ends what is under way, and forgets how it and the requests before it ended. */
  forget(): void;
};

type RunParts = {
  options: PlaygroundOptions;
  settings: Settings;
  tools: readonly ToolDefinition[];
  onTurns(turns: readonly Turn[]): void;
};

/** Sends the conversation and adds the answer to it. A new request ends the previous request. */
export function useRun(parts: RunParts): RunState {
  const [answer, setAnswer] = useState<AssistantTurn | null>(null);
  const [observed, setObserved] = useState<Observed | null>(null);
  const [latest, setLatest] = useState<AssistantTurn | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (turns: readonly Turn[]) => {
    const control = new AbortController();
    running.current?.abort();
    running.current = control;
    parts.onTurns(turns);
    setObserved(null);
    setAnswer(emptyAnswer);
    setLatest(null);
    const outcome = await ask(parts, turns, {
      signal: control.signal,
      onAnswer: (turn) => running.current === control && setAnswer(turn),
    });
    if (running.current !== control) return;
    running.current = null;
    const { turn } = outcome;
    if (outcome.observed.problem && turns.at(-1)?.role === 'user') parts.onTurns(withFailure(turns, turn));
    else if (turn) parts.onTurns([...turns, turn]);
    setLatest(turn ?? null);
    setAnswer(null);
    setObserved(outcome.observed);
  };

  return {
    isRunning: answer !== null,
    answer,
    observed,
    latest,
    start,
    stop: () => running.current?.abort(),
    forget() {
      running.current?.abort();
      // The outcome of a request that is not the running one is not shown.
      running.current = null;
      setAnswer(null);
      setLatest(null);
      setObserved(null);
    },
  };
}

type AskOptions = { signal: AbortSignal; onAnswer(turn: AssistantTurn): void };

/** The part of a request that the browser saw, and the part of the answer that arrived. */
type RunOutcome = { observed: Observed; turn: AssistantTurn | undefined };

async function ask(
  { options, settings, tools }: RunParts,
  turns: readonly Turn[],
  { signal, onAnswer }: AskOptions,
): Promise<RunOutcome> {
  const dialect = dialectOf(settings.dialect);
  let answer = emptyAnswer;
  const observed = await runRequest({
    dialect,
    signal,
    headerNames: options.headers,
    path: inOrganization(`/playground/${endpointOf(dialect, settings)}`)!,
    body: dialect.write(settings, sentTurns(turns), tools),
    headers: settings.payAsYouGo ? { [options.headers.payment_mode]: 'payg' } : {},
    onAnswer(turn) {
      answer = turn;
      onAnswer(turn);
    },
  });
  const turn = observed.stopReason === null ? withoutCalls(answer) : answer;
  return { observed, turn: hasContent(turn) ? turn : undefined };
}

/** An answer that did not end cannot be continued in its own form, and its calls may be incomplete. */
const withoutCalls = ({ own: _, ...turn }: AssistantTurn): AssistantTurn => ({ ...turn, calls: [] });
