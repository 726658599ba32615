import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import type { QueuedRequest } from '../../upstream/capacity/slot-claim.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();

/** A request that waits for a slot at a provider. */
export const queuedRequest = Type.Object(
  {
    id: Type.String({ description: 'The id of the request.' }),
    node: Type.String({ description: 'The process that has the request in its queue, as in `/nodes`.' }),
    class: Type.Enum([...planClasses]),
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
export type QueueRowView = ViewOf<typeof queuedRequest>;

/** Shows a queued request. `node` is the process that has it in its queue. */
export const queueRowView = (request: QueuedRequest, node: string, now: number): QueueRowView => ({
  id: request.requestId ?? '',
  node,
  class: request.planClass,
  model: request.model ?? null,
  account_id: request.account,
  key_id: request.keyId ?? null,
  providers: request.providers,
  position: request.position,
  queued_at: isoTime(Math.round(now - request.waitedMs)),
  waited_ms: Math.round(request.waitedMs),
  refused_at: isoTime(Math.round(now + request.leftMs)),
});
