import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { inOrganization } from '../../app/session.ts';
import {
  type AssistantTurn,
  emptyAnswer,
  type Settings,
  type ToolDefinition,
  type Turn,
} from './conversation.ts';
import { dialectOf, endpointOf } from './dialects.ts';
import { type Observed, runRequest } from './run-request.ts';
import { sentTurns, withFailure } from './sent-turns.ts';

export type UsedRun = {
  isRunning: boolean;
  /** The answer so far. `null` means that no request is under way. */
  answer: AssistantTurn | null;
  /** The part of the latest request that the browser saw. */
  observed: Observed | null;
  /** The latest answer that has ended. */
  latest: AssistantTurn | null;
  start(turns: readonly Turn[]): Promise<void>;
  stop(): void;
  forget(): void;
};

type RunParts = {
  options: PlaygroundOptions;
  settings: Settings;
  tools: readonly ToolDefinition[];
  onTurns(turns: readonly Turn[]): void;
};

/** Sends the conversation and adds the answer to it. */
export function useRun({ options, settings, tools, onTurns }: RunParts): UsedRun {
  const [answer, setAnswer] = useState<AssistantTurn | null>(null);
  const [observed, setObserved] = useState<Observed | null>(null);
  const [latest, setLatest] = useState<AssistantTurn | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (turns: readonly Turn[]) => {
    const control = new AbortController();
    running.current?.abort();
    running.current = control;
    const dialect = dialectOf(settings.dialect);
    let latestTurn: AssistantTurn = emptyAnswer;
    onTurns(turns);
    setObserved(null);
    setAnswer(latestTurn);
    setLatest(null);
    const result = await runRequest({
      dialect,
      names: options.headers,
      signal: control.signal,
      path: inOrganization(`/playground/${endpointOf(dialect, settings)}`)!,
      body: dialect.write(settings, sentTurns(turns), tools),
      headers: settings.payAsYouGo ? { [options.headers.payment_mode]: 'payg' } : {},
      onAnswer(turn) {
        latestTurn = turn;
        if (running.current === control) setAnswer(turn);
      },
    });
    if (running.current !== control) return;
    running.current = null;
    const finalTurn = result.stopReason === null ? withoutCalls(latestTurn) : latestTurn;
    const part = finalTurn.text || finalTurn.thinking || finalTurn.calls.length > 0 ? finalTurn : undefined;
    if (result.problem && turns.at(-1)?.role === 'user') onTurns(withFailure(turns, part));
    else if (part) onTurns([...turns, part]);
    setLatest(part ?? null);
    setAnswer(null);
    setObserved(result);
  };

  return {
    isRunning: answer !== null,
    answer,
    observed,
    latest,
    start,
    stop: () => running.current?.abort(),
    forget: () => setObserved(null),
  };
}

/** An answer that did not end cannot be continued in its own form, and its calls may be incomplete. */
const withoutCalls = ({ own: _, ...turn }: AssistantTurn): AssistantTurn => ({ ...turn, calls: [] });
