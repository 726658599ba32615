import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { alertEvents } from '../../settings/config/alerts-schema.ts';
import { listOf, orNull } from './admin-answers.ts';
import { pageParameters } from './page-parameters.ts';

const alerts = { group: 'Admin: operation', key: 'admin' } as const;
const text = Type.String();

const delivery = Type.Object({
  webhook_id: Type.String({ description: 'The id of the webhook, which depends on its address only.' }),
  host: Type.String({ description: "The origin of the webhook's address." }),
  state: Type.Enum(['waiting', 'delivered', 'dropped']),
  attempts: Type.Integer(),
  next_attempt_at: orNull(time, 'Null: the delivery has ended.'),
  ended_at: orNull(time, 'Null: the delivery waits.'),
  status: orNull(Type.Integer(), 'The HTTP status of the latest attempt. Null: there was no answer.'),
  error: orNull(text, 'The failure of the latest attempt.'),
});

const alert = Type.Object(
  {
    id: text,
    event: Type.Enum([...alertEvents, 'test']),
    severity: Type.Enum(['info', 'warning', 'critical']),
    created_at: time,
    gateway: orNull(text, 'The address of the gateway (`server.public_url`).'),
    message: text,
    data: Type.Object({}, { description: 'The facts of the event.' }),
    deliveries: Type.Array(delivery),
  },
  { title: 'Alert' },
);

/** Describes the routes of alerts. */
export const alertDescriptions = {
  list: {
    ...alerts,
    summary: 'Lists alerts with their deliveries to webhooks, newest first',
    query: pageParameters,
    answer: 'A page of alerts.',
    answerSchema: listOf(alert),
    errors: ['invalid_request'],
  },
  test: {
    ...alerts,
    summary: 'Sends a test alert to every webhook, at most once a minute',
    answer: 'The alert, with the result of the first attempt at each webhook. Failed attempts are repeated.',
    answerSchema: alert,
    errors: ['invalid_request', 'rate_limit_exceeded'],
  },
} satisfies Record<string, RouteDescription>;
