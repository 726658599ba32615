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
  /** Keeps the turns of a page that is being left. */
  onLeave(turns: readonly Turn[]): void;
};

/** The request under way. */
type Running = { control: AbortController; turns: readonly Turn[]; part: AssistantTurn };

/**
 * Sends the conversation and adds the answer to it. A new request ends the previous request. Leaving the page
 * ends it too, and keeps the part that has arrived, as `stop` does.
 */
export function useRun(parts: RunParts): RunState {
  const [answer, setAnswer] = useState<AssistantTurn | null>(null);
  const [observed, setObserved] = useState<Observed | null>(null);
  const [latest, setLatest] = useState<AssistantTurn | null>(null);
  const running = useRef<Running | null>(null);
  const latestParts = useRef(parts);
  latestParts.current = parts;
  useEffect(() => {
    const keepPart = () => {
      if (!running.current) return;
      const { turns, part } = running.current;
      if (hasContent(part)) latestParts.current.onLeave([...turns, withoutCalls(part)]);
    };
    addEventListener('pagehide', keepPart);
    return () => {
      removeEventListener('pagehide', keepPart);
      keepPart();
      running.current?.control.abort();
      running.current = null;
    };
  }, []);

  const start = async (turns: readonly Turn[]) => {
    const control = new AbortController();
    running.current?.control.abort();
    const own: Running = { control, turns, part: emptyAnswer };
    running.current = own;
    parts.onTurns(turns);
    setObserved(null);
    setAnswer(emptyAnswer);
    setLatest(null);
    const outcome = await ask(parts, turns, {
      signal: control.signal,
      onAnswer(turn) {
        own.part = turn;
        if (running.current === own) setAnswer(turn);
      },
    });
    if (running.current !== own) return;
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
    stop: () => running.current?.control.abort(),
    forget() {
      running.current?.control.abort();
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
