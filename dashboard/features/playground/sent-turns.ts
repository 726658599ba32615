import type { Turn } from './conversation.ts';

const hasFailed = (turn: Turn): boolean => turn.role !== 'tool' && turn.hasFailed === true;

/** Returns the turns of the next request. The message of a failed request is shown, but not sent again. */
export const sentTurns = (turns: readonly Turn[]): readonly Turn[] =>
  turns.filter((turn) => !hasFailed(turn));

/** Marks the message of a failed request, and the part of an answer that arrived. */
export function withFailure(turns: readonly Turn[], part: Turn | undefined): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role !== 'user') return turns;
  const failed: Turn[] = [{ ...last, hasFailed: true }];
  if (part?.role === 'assistant') failed.push({ ...part, hasFailed: true });
  return [...turns.slice(0, -1), ...failed];
}

/** Returns the conversation up to the request that failed last, so that it can be sent once more. */
export function turnsToRetry(turns: readonly Turn[]): readonly Turn[] | undefined {
  const index = turns.findLastIndex((turn) => turn.role === 'user' && hasFailed(turn));
  const later = index < 0 ? undefined : sentTurns(turns.slice(index));
  const turn = turns[index];
  if (turn?.role === 'user' && later?.length === 0) {
    const { hasFailed: _, ...again } = turn;
    return [...turns.slice(0, index), again];
  }
  return turns.at(-1)?.role === 'tool' ? turns : undefined;
}
