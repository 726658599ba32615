import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import type { CountTurn, TurnCounts, TurnReply } from './count-turn.ts';
import { type CountText, loadSliceCounter } from './vocabulary.ts';
import { workTurn } from './work-turn.ts';

/**
 * The program of the counting thread.
 * It takes one turn at a time, and loads a vocabulary with the first text that needs it.
 */
declare const self: Worker;

const vocabularies = new Map<VocabularyName, Promise<CountText>>();

function sliceCounter(name: VocabularyName): Promise<CountText> {
  const loading = vocabularies.get(name) ?? loadSliceCounter(name);
  vocabularies.set(name, loading);
  return loading;
}

async function count(turn: CountTurn): Promise<TurnCounts | undefined> {
  try {
    const countSlice = await sliceCounter(turn.vocabulary);
    return workTurn(turn, { countSlice, now: () => performance.now() });
  } catch {
    vocabularies.clear(); // a vocabulary that failed to load is tried again
    return undefined;
  }
}

self.onmessage = async ({ data }: MessageEvent<CountTurn>) =>
  self.postMessage({ counted: await count(data) } satisfies TurnReply);
