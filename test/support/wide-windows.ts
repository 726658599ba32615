import { sampleModels } from './sample-config.ts';

/** More input than any test reports: the month of every plan at once. */
const WINDOW = 100_000_000;

type Row = { context_window: number; max_output?: number };

/**
 * Sample models that can have read any number of tokens, for tests that use up credits by single requests.
 */
export const wideCatalog = {
  models: (sampleModels as (Record<string, unknown> & Row)[]).map((row) => ({
    ...row,
    max_output: row.max_output ?? row.context_window,
    context_window: WINDOW,
  })),
};
