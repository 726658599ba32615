import { sampleModels } from './sample-config.ts';

/** A window of more input than any test reports. */
const WINDOW = 100_000_000;

type Row = { context_window: number; max_output?: number };

/** A catalog whose models can read any number of tokens, so that single requests can use up credits. */
export const wideCatalog = {
  models: (sampleModels as (Record<string, unknown> & Row)[]).map((row) => ({
    ...row,
    max_output: row.max_output ?? row.context_window,
    context_window: WINDOW,
  })),
};
