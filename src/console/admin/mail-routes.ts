import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'mail'>();

const text = Type.String();
const count = Type.Integer();

/** The route that shows whether mail arrives at its server. */
export const mailRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/mail',
      group: 'Admin: people',
      summary: "Shows the state of this node's mail",
      answer: Type.Object(
        {
          configured: Type.Boolean(),
          waiting: count,
          sent: count,
          failed: count,
          last_failure: orNull(
            Type.Object({ at: time, kind: text, error: text, final: Type.Boolean() }),
            '`null` means that no mail has failed.',
          ),
        },
        { title: 'Mail State' },
      ),
      returns: 'The counts since the start of the node, and its latest failure.',
    },
    (_, { mail }) => {
      const { isConfigured, waiting, sent, failed, lastFailure } = mail.state;
      return {
        configured: isConfigured,
        waiting,
        sent,
        failed,
        last_failure: lastFailure && {
          at: isoTime(lastFailure.at),
          kind: lastFailure.kind,
          error: lastFailure.error,
          final: lastFailure.isFinal,
        },
      };
    },
  ),
];
