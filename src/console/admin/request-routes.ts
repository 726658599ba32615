import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { answerCost, costQuery, requestCost } from '../traffic/request-cost.ts';
import { adminRouteWith } from './admin-route.ts';
import { request, requestView } from './request-view.ts';

const route = adminRouteWith<'ledger' | 'requests'>();

const group = 'Admin: requests';

/** The routes for the records of requests. */
export const requestRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/requests',
      group,
      summary: 'Lists the requests of all accounts, the latest to end first',
      query: Type.Object({
        account: filterField('Only requests of the account with this id.'),
        key: filterField('Only requests with the API key of this id.'),
        model: filterField('Only requests that named this model, or that it answered.'),
        status: Type.Optional(
          Type.String({
            pattern: '^[1-5](\\d\\d|xx)$',
            expected: 'a status like 400 or a class like 5xx',
            description: 'Only answers with this status, like `400`, or of this class, like `5xx`.',
          }),
        ),
        code: filterField('Only requests that ended with this error code.'),
        user: filterField('Only requests that named this end user.'),
        tag: filterField('Only requests with this tag.'),
        source: Type.Optional(
          Type.Enum([...requestSources], {
            description: 'Only requests of the API, of batches or of the playground.',
          }),
        ),
        since: queryTime('Only requests that ended at or after this time, ISO 8601.'),
        until: queryTime('Only requests that ended before this time, ISO 8601.'),
        ...pageFields,
      }),
      answer: listOf(request),
      returns: 'A page of requests. `retention.requests_s` says how long they are kept.',
    },
    async ({ query: { since, until, limit, after, ...filter } }, { requests }) => {
      if (after !== undefined && !(await requests.find(after))) throw unknownAfter('a kept request');
      const span = { since: timeIfGiven(since), until: timeIfGiven(until) };
      const { items, hasMore } = await requests.list({ ...filter, ...span }, pageOf({ limit, after }));
      return listView(items.map(requestView), hasMore);
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/requests/{id}',
      group,
      summary: 'Shows a request with its calls to providers and their errors',
      answer: request,
      returns: 'The request. The error `not_found` has `kept_s: 0` where no records are kept.',
      errors: ['not_found'],
    },
    async ({ params, exchange }, { requests }) => {
      const record = await requests.find(params.id);
      if (!record) throw notKept(exchange.snapshot.config.retention.requests_s);
      return requestView(record);
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/requests/{id}/cost',
      group,
      summary: 'Explains the cost of a request by line, or computes it for another model or price row',
      query: costQuery,
      answer: requestCost,
      returns: 'The lines of the cost. A request that was not charged has none.',
      errors: ['not_found', 'unknown_model'],
    },
    ({ params: { id }, query, exchange }, parts) =>
      answerCost({ ...parts, catalog: exchange.snapshot.catalog }, { id, ...query }),
  ),
];

const notKept = (keptSeconds: number): Refusal =>
  new Refusal('not_found', {
    message:
      keptSeconds === 0
        ? 'No records of requests are kept, since `retention.requests_s` is 0.'
        : 'No request with this id is kept. Its record may have expired.',
    fields: { kept_s: keptSeconds },
  });
