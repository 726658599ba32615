import { Refusal } from '../../base/errors/refusal.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { listOf, orNull } from './admin-answers.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { listView } from './list-view.ts';
import { pageParameters } from './page-parameters.ts';
import { pageQuery } from './page-query.ts';
import { queueInFleet } from './queue-in-fleet.ts';

const text = Type.String();
const planClass = Type.Enum([...planClasses]);

const queuedRequest = Type.Object(
  {
    id: Type.String({ description: 'The id of the request.' }),
    node: Type.String({ description: 'The process that has the request in its queue, as in `/nodes`.' }),
    class: planClass,
    model: orNull(text, 'The model that is to answer.'),
    account_id: text,
    key_id: orNull(text),
    providers: Type.Array(text, { description: 'The providers. A slot at any of them will do.' }),
    position: Type.Integer({
      description: "The probable position in the shortest of its providers' queues, from 1.",
    }),
    queued_at: time,
    waited_ms: Type.Integer(),
    refused_at: Type.String({
      format: 'date-time',
      description: 'The request is refused at this time if no slot is free.',
    }),
  },
  { title: 'Queued Request' },
);

export const queueList = Type.Object({
  ...listOf(queuedRequest).properties,
  total: Type.Integer({ description: 'All requests that fit, also beyond the limit.' }),
});

/** The route that shows the requests that wait for a slot. */
export const queueRoutes = (
  dependencies: Pick<AdminDependencies, 'capacity' | 'nodes' | 'clock' | 'fleet'>,
): Route[] => [
  {
    method: 'GET',
    path: '/admin/v1/queue',
    describe: {
      group: 'Admin: operation',
      key: 'admin',
      summary: 'Shows the requests that wait for a slot at a provider, on the machine that answers',
      query: [
        { name: 'class', description: 'Only requests of this class.', schema: planClass },
        { name: 'provider', description: 'Only requests that wait for this provider.' },
        { name: 'account', description: 'Only requests of the account with this id.' },
        ...pageParameters.filter(({ name }) => name === 'limit'),
      ],
      answer: 'The queued requests, the oldest first.',
      answerSchema: queueList,
      errors: ['invalid_request'],
    },
    handle: async ({ query }) => {
      const page = pageQuery(query);
      if (page instanceof Refusal) return page;
      const parameters = new URLSearchParams(query);
      const wanted = (name: string) => parameters.get(name) ?? undefined;
      const filter = { class: wanted('class'), provider: wanted('provider'), account: wanted('account') };
      if (filter.class !== undefined && !planClasses.some((known) => known === filter.class))
        return new Refusal('invalid_request', {
          param: 'class',
          message: `class must be one of ${planClasses.join(', ')}.`,
        });
      const { rows, total } = await queueInFleet({ ...filter, limit: page.limit }, dependencies);
      return jsonReply(200, { ...listView(rows, total > rows.length), total });
    },
  },
];
