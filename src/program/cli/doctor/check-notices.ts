import { randomUUID } from 'node:crypto';
import type { PostgresConnection } from '../../../store/postgres/connection/postgres-connection.ts';
import { failureOfPostgres } from './failure-of-postgres.ts';
import { type Finding, ok, warn } from './finding.ts';
import { withConnection } from './with-connection.ts';

const CHECK = 'store';
const TIMEOUT_MS = 3_000;

/** Sends a notice as another node would. */
export async function checkNotices(url: string, sender: PostgresConnection): Promise<Finding> {
  const channel = `doctor_${randomUUID().replaceAll('-', '')}`;
  try {
    const hasArrived = await withConnection(url, async (listener) => {
      const notice = Promise.withResolvers<boolean>();
      listener.onNotification = () => notice.resolve(true);
      await listener.simple(`LISTEN ${channel}`);
      await sender.simple(`NOTIFY ${channel}`);
      const timer = setTimeout(() => notice.resolve(false), TIMEOUT_MS);
      return notice.promise.finally(() => clearTimeout(timer));
    });
    if (hasArrived) return ok(CHECK, 'notices arrive');
    const message = 'notices do not arrive, so nodes poll for changes every second';
    return warn(CHECK, message, 'set store.listen_url to the address of the server itself');
  } catch (error) {
    const { message, mend } = failureOfPostgres(error);
    return warn(CHECK, `notices do not arrive: ${message}`, mend ?? 'correct store.listen_url');
  }
}
