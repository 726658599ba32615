import { useState } from 'preact/hooks';
import type { SentPrompt } from './comparison.tsx';
import type { Turn } from './conversation.ts';
import { sentTurns } from './sent-turns.ts';
import type { RunState } from './use-run.ts';

/** Keeps the latest request, so that the compared models get it too. */
export function useSent(run: RunState) {
  const [sent, setSent] = useState<SentPrompt>();
  return {
    sent,
    start(turns: readonly Turn[]): void {
      setSent((before) => ({ number: (before?.number ?? 0) + 1, turns: sentTurns(turns) }));
      void run.start(turns);
    },
    /** Forgets the latest request. The compared models forget it too. */
    forget(): void {
      run.forget();
      setSent(undefined);
    },
  };
}
