import { keysOf } from '../../../src/base/lib/records.ts';
import type { RequestRow } from './rows.ts';

/** The origins of requests, in the order of a choice. */
export const requestSources = keysOf<Readonly<Record<RequestRow['source'], true>>>({
  api: true,
  batch: true,
  playground: true,
});
