import { boundTexts } from './bound-texts.ts';
import { countCountables } from './count-countables.ts';
import type { CountedJob, CountJob } from './count-job.ts';
import { tokenFamily } from './token-family.ts';
import { type CountText, inSlices, loadSliceCounter, type VocabularyName } from './vocabulary.ts';

/** The program of the thread that counts: one job at a time, each vocabulary loaded with the first text that needs it. */
declare const self: Worker;

type Count = (job: CountJob) => Promise<CountedJob['counted']>;

function createCount(): Count {
  const vocabularies = new Map<VocabularyName, Promise<CountText>>();
  const sliceCounter = (name: VocabularyName): Promise<CountText> => {
    const loading = vocabularies.get(name) ?? loadSliceCounter(name);
    vocabularies.set(name, loading);
    return loading;
  };
  const count: Count = async (job) => {
    if ('texts' in job) {
      const countSlice = await sliceCounter(job.vocabulary);
      return boundTexts(job.texts, { countSlice, most: job.most, now: () => performance.now() });
    }
    const family = tokenFamily(job.model);
    const countText = inSlices(await sliceCounter(family.vocabulary));
    return countCountables(job.countables, family, { countText, how: 'thorough' });
  };
  return (job) =>
    count(job).catch(() => {
      vocabularies.clear(); // one that could not be loaded is tried again
      return undefined;
    });
}

const count = createCount();

self.onmessage = async ({ data }: MessageEvent<CountJob>) =>
  self.postMessage({ counted: await count(data) } satisfies CountedJob);
