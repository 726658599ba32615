import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { Audience } from './audience.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type EventTopic, eventTopics } from './event-feed.ts';

/** The stream of events by which open pages follow what happens. */
export const eventRoutes = [
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/events',
      access: 'person',
      query: Type.Object({
        topics: Type.Optional(Type.String({ maxLength: 100 })),
        /** Only events of this organization. */
        account: Type.Optional(Type.String({ maxLength: 100 })),
      }),
      answer: Type.Unknown(),
    },
    ({ exchange, visitor, query }, { events, visitors }) => {
      const topics = topicsOf(query.topics);
      if (topics instanceof Refusal) return topics;
      const { account } = query;
      const audienceOf = ({ operator, memberships }: Visitor): Audience => ({
        operator,
        memberships,
        account,
      });
      const isOwn = visitor.memberships.some(({ accountId }) => accountId === account);
      if (account !== undefined && !isOwn && visitor.operator === null)
        return new Refusal('not_found', { message: 'You are in no organization with this id.' });
      return events.open({
        exchange,
        sessionId: visitor.sessionId,
        topics,
        audience: audienceOf(visitor),
        async currentAudience() {
          const now = await visitors.identify(exchange);
          return now && audienceOf(now);
        },
      });
    },
  ),
];

const isTopic = (name: string): name is EventTopic => eventTopics.some((topic) => topic === name);

/** Reads the topics of the query. The default is all topics. */
function topicsOf(text: string | undefined): ReadonlySet<EventTopic> | Refusal {
  const names = text === undefined ? eventTopics : text.split(',').map((name) => name.trim());
  const topics = names.filter(isTopic);
  if (topics.length === names.length) return new Set(topics);
  return new Refusal('invalid_request', {
    param: 'topics',
    message: `topics must be one or more of ${eventTopics.join(', ')}, with commas between.`,
  });
}
