import { countCountables } from './count-countables.ts';
import type { CountedJob, CountJob } from './count-job.ts';
import { tokenFamily } from './token-family.ts';
import { type CountText, loadVocabulary, type VocabularyName } from './vocabulary.ts';

/** The program of the thread that counts: one job at a time, each vocabulary loaded with the first text that needs it. */
declare const self: Worker;

function createCount(): (job: CountJob) => Promise<number | undefined> {
  const vocabularies = new Map<VocabularyName, Promise<CountText>>();
  return async ({ countables, model }) => {
    const family = tokenFamily(model);
    const loading = vocabularies.get(family.vocabulary) ?? loadVocabulary(family.vocabulary);
    vocabularies.set(family.vocabulary, loading);
    try {
      return countCountables(countables, family, { countText: await loading, how: 'thorough' });
    } catch {
      vocabularies.clear(); // one that could not be loaded is tried again
      return undefined;
    }
  };
}

const count = createCount();

self.onmessage = async ({ data }: MessageEvent<CountJob>) =>
  self.postMessage({ tokens: await count(data) } satisfies CountedJob);
