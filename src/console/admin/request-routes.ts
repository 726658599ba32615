import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { RequestFilter } from '../../watch/requests/request-book.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';
import { REQUEST_STATUS, requestDescriptions as told } from './request-descriptions.ts';
import { requestView } from './request-view.ts';
import { timeParameter } from './time-parameter.ts';

/** The routes for the records of requests. */
export function requestRoutes({ requests }: AdminDependencies): Route[] {
  const list: Route['handle'] = async ({ query }) => {
    const page = pageQuery(query);
    if (page instanceof Refusal) return page;
    if (page.after !== undefined && !(await requests.find(page.after))) return unknownAfter('a kept request');
    const filter = filterIn(query);
    if (filter instanceof Refusal) return filter;
    const { items, hasMore } = await requests.list(filter, page);
    // Only an empty page can come after an unknown request.
    if (page.after !== undefined && items.length === 0 && !(await requests.find(page.after)))
      return unknownAfter('a request that is kept');
    return jsonReply(200, listView(items.map(requestView), hasMore));
  };

  const show: Route['handle'] = async ({ params }) => {
    const record = await requests.find(params.id!);
    return record
      ? jsonReply(200, requestView(record))
      : new Refusal('not_found', {
          message: 'No request with this id is kept. Its record may have expired.',
        });
  };

  return [
    { method: 'GET', path: '/admin/v1/requests', handle: list, describe: told.list },
    { method: 'GET', path: '/admin/v1/requests/{id}', handle: show, describe: told.show },
  ];
}

function filterIn(query: string): RequestFilter | Refusal {
  const parameters = new URLSearchParams(query);
  const text = (name: string) => parameters.get(name) ?? undefined;
  const status = text('status');
  if (status !== undefined && !new RegExp(REQUEST_STATUS).test(status))
    return refuse('status', 'status must be a status like 400 or a class like 5xx.');
  const since = timeParameter(parameters, 'since');
  if (since instanceof Refusal) return since;
  const until = timeParameter(parameters, 'until');
  if (until instanceof Refusal) return until;
  const texts = { account: text('account'), key: text('key'), model: text('model') };
  return { ...texts, code: text('code'), user: text('user'), status, since, until };
}

const refuse = (param: string, message: string) => new Refusal('invalid_request', { param, message });
