import { jsonReply } from '../../edge/http/reply.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { peopleDescriptions as told } from './people-descriptions.ts';
import type { AdminRoute } from './require-admin-token.ts';

/** The route that shows whether mail arrives at its server. */
export function mailRoutes({ mail }: AdminDependencies): AdminRoute[] {
  const handle: AdminRoute['handle'] = () => {
    const { isConfigured, waiting, sent, failed, lastFailure } = mail.state;
    return jsonReply(200, {
      configured: isConfigured,
      waiting,
      sent,
      failed,
      last_failure: lastFailure && {
        at: new Date(lastFailure.at).toISOString(),
        kind: lastFailure.kind,
        error: lastFailure.error,
        final: lastFailure.isFinal,
      },
    });
  };
  return [{ method: 'GET', path: '/admin/v1/mail', handle, describe: told.mail }];
}
