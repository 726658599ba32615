import { Refusal } from '../../base/errors/refusal.ts';
import { inspectedBatchView } from '../../batches/collections/inspected-batch-view.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';

/** The routes for the batches of all keys. */
export function batchRoutes({ batches }: Pick<AdminDependencies, 'batches'>): Route[] {
  const list: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    const isEnded = statusQuery(exchange.query);
    if (isEnded instanceof Refusal) return isEnded;
    const found = await batches.list({ ...page, isEnded });
    if (found) return jsonReply(200, listView(found.items.map(inspectedBatchView), found.hasMore));
    return unknownAfter('a batch');
  };
  const show: Route['handle'] = async ({ params }) => {
    const batch = await batches.find(params.id!);
    if (batch) return jsonReply(200, inspectedBatchView(batch));
    return new Refusal('not_found', { message: 'There is no such batch.' });
  };
  return [
    { method: 'GET', path: '/admin/v1/batches', handle: list, describe: told.listBatches },
    { method: 'GET', path: '/admin/v1/batches/{id}', handle: show, describe: told.showBatch },
  ];
}

const STATUSES: Readonly<Record<string, boolean>> = { in_progress: false, ended: true };

/** Reads `?status`. Undefined: batches in every state. */
function statusQuery(query: string): boolean | undefined | Refusal {
  const status = new URLSearchParams(query).get('status');
  if (status === null) return undefined;
  return (
    STATUSES[status] ??
    new Refusal('invalid_request', { param: 'status', message: 'status must be in_progress or ended.' })
  );
}
