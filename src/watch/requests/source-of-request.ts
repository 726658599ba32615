import type { Exchange } from '../../edge/http/exchange.ts';
import type { RequestRecord } from './request-record.ts';
import type { RequestSource } from './request-source.ts';

const PAGES = '/dashboard/';
const BATCHES = '/batches';

/** An item of a batch has no client, and a request of the playground has the path of a page. */
export const sourceOfRequest = ({
  isBatchItem,
  path,
}: Pick<Exchange, 'isBatchItem' | 'path'>): RequestSource => {
  if (isBatchItem) return 'batch';
  return path.startsWith(PAGES) ? 'playground' : 'api';
};

/** The source of a record. Records of earlier versions have none. Their path and route show it. */
export function sourceOfRecord({
  source,
  path,
  route,
}: Pick<RequestRecord, 'source' | 'path' | 'route'>): RequestSource {
  if (source !== undefined) return source;
  return route.includes(BATCHES) && !path.includes(BATCHES) ? 'batch' : sourceOfRequest({ path });
}

/** A text that every record of the source has. */
export const sourceText: Readonly<Record<RequestSource, string>> = {
  api: '',
  batch: BATCHES,
  playground: PAGES,
};
