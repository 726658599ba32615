import { curlSample } from './curl-sample.ts';
import type { SampleInput } from './sample-input.ts';
import { pythonSample, typescriptSample } from './sdk-samples.ts';

/** The languages of samples, in the order of their tabs. */
export const languages = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const;

type Language = (typeof languages)[number]['id'];

const writers: Readonly<Record<Language, (input: SampleInput) => string>> = {
  curl: curlSample,
  python: pythonSample,
  typescript: typescriptSample,
};

/** Returns the request as code. The key is read from the environment. */
export const codeSample = (language: Language, input: SampleInput): string => writers[language](input);
