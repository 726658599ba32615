import type { Exchange } from '../../edge/http/exchange.ts';
import type { RequestRecord } from './request-record.ts';
import type { RequestSource } from './request-source.ts';

const PAGES = '/dashboard/';
const BATCHES = '/batches';

/**
 * Returns the source of a request. An item of a batch has the route of its batch and the path of its
 * endpoint. A request of the playground has the path of a page.
 */
export const sourceOfRequest = ({ path, route }: Pick<Exchange, 'path' | 'route'>): RequestSource => {
  if (route.includes(BATCHES) && !path.includes(BATCHES)) return 'batch';
  return path.startsWith(PAGES) ? 'playground' : 'api';
};

/** Returns the source of a record. In records of earlier versions, only the path and the route show it. */
export const sourceOfRecord = (record: Pick<RequestRecord, 'source' | 'path' | 'route'>): RequestSource =>
  record.source ?? sourceOfRequest(record);

/** A text that every record of the source has. */
export const sourceText: Readonly<Record<RequestSource, string>> = {
  api: '',
  batch: BATCHES,
  playground: PAGES,
};
