import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { isAvailable } from '../../settings/catalog/catalog.ts';
import { googleModelView, isListedForGoogle } from './google-model-view.ts';

const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 50;

/** Lists a page of the models that Google's clients can call. */
export function listGoogleModels({ snapshot, query }: Exchange): Reply | Refusal {
  const parameters = new URLSearchParams(query);
  const pageSize = parameters.get('pageSize') ?? String(DEFAULT_PAGE);
  const size = Number(pageSize);
  if (!/^\d{1,9}$/.test(pageSize)) return invalidParam('pageSize', 'must be a positive integer.');
  const entries = snapshot.catalog.entries.filter((entry) => isAvailable(entry) && isListedForGoogle(entry));
  const token = parameters.get('pageToken');
  const start = token ? entries.findIndex(({ model }) => model.id === token) + 1 : 0;
  if (token && start === 0)
    return invalidParam('pageToken', 'does not belong to this list. Begin without one.');
  const page = entries.slice(start, start + Math.min(size || DEFAULT_PAGE, MAX_PAGE));
  const last = page.at(-1);
  return jsonReply(200, {
    models: page.map(googleModelView),
    ...(last && last !== entries.at(-1) && { nextPageToken: last.model.id }),
  });
}
