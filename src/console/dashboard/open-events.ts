import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { roleIn, type Visitor } from '../../customers/people/visitor.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { WithQuery } from '../routes/typed-route.ts';
import type { Audience } from './audience.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { type EventTopic, eventTopics } from './event-topics.ts';
import { notAMember } from './refuse-visitor.ts';

export const eventsQuery = Type.Object({
  topics: Type.Optional(Type.String({ maxLength: 100 })),
  /** Only events of this organization. */
  account: Type.Optional(Type.String({ maxLength: 100 })),
});

/** Opens a stream of events. Operators can follow every organization. */
export function openEvents(
  { exchange, visitor, query }: PersonCall<WithQuery<typeof eventsQuery>>,
  { eventStreams, visitors }: DashboardParts,
): Reply {
  const topics = topicsOf(query.topics);
  const { account } = query;
  const isAllowed = account === undefined || visitor.operator !== null || roleIn(visitor, account);
  if (!isAllowed) throw notAMember();
  const audienceOf = ({ operator, memberships }: Visitor): Audience => ({ operator, memberships, account });
  return eventStreams.open({
    exchange,
    sessionId: visitor.sessionId,
    topics,
    audience: audienceOf(visitor),
    async currentAudience() {
      const visitorNow = await visitors.identify(exchange);
      return visitorNow && audienceOf(visitorNow);
    },
  });
}

const isTopic = (name: string): name is EventTopic => eventTopics.some((topic) => topic === name);

/** Reads the topics of the query. The default is all topics. */
function topicsOf(text: string | undefined): ReadonlySet<EventTopic> {
  const names = text === undefined ? eventTopics : text.split(',').map((name) => name.trim());
  const topics = names.filter(isTopic);
  if (topics.length < names.length) throw unknownTopic();
  return new Set(topics);
}

const unknownTopic = (): Refusal =>
  new Refusal('invalid_request', {
    param: 'topics',
    message: `topics must be one or more of ${eventTopics.join(', ')}, with commas between.`,
  });
