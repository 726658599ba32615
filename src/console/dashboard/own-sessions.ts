import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import type { SessionsView } from './profile-schema.ts';

/** Lists the open sessions of the person. The one that asks is marked. */
export async function listSessions(
  { visitor }: PersonCall,
  { profiles }: DashboardParts,
): Promise<SessionsView> {
  const sessions = await profiles.sessions(visitor);
  return {
    data: sessions.map(({ id, createdAt, expiresAt, address, browser }) => ({
      id,
      address,
      browser,
      is_this: id === visitor.sessionId,
      created_at: isoTime(createdAt),
      expires_at: isoTime(expiresAt),
    })),
  };
}

/** Ends all sessions of the person but the one that asks. */
export async function endAllSessions(
  { visitor }: PersonCall,
  { profiles }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await profiles.endSessions(visitor));
  return DONE;
}

/** Ends one session of the person. */
export async function endSession(
  { params, visitor }: PersonCall<WithParams<'id'>>,
  { profiles }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await profiles.endSessions(visitor, params.id));
  return DONE;
}
