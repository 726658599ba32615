import { Refusal } from '../../base/errors/refusal.ts';
import { renewSession } from '../../customers/people/renew-session.ts';
import { providerIdOf, providerNameOf } from '../../customers/people/sign-in-providers.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall } from './dashboard-route.ts';
import { hasTokenField } from './has-token-field.ts';
import { replyWithCookies } from './reply-with-cookies.ts';
import type { SessionView } from './session-schema.ts';

/** Shows who the visitor is, and prolongs the session. */
export async function showSession(
  { exchange, visitor }: GuestCall<{ visitor: Visitor | undefined }>,
  parts: DashboardParts,
): Promise<Reply> {
  const [organizations, settings, cookie] = await Promise.all([
    visitor ? organizationsOf(parts, visitor) : [],
    settingsFor(parts, exchange),
    visitor && renewSession(parts, exchange, visitor),
  ]);
  const view: SessionView = {
    person: visitor ? personOf(visitor) : null,
    operator_role: visitor?.operator ?? null,
    organizations,
    settings,
  };
  return replyWithCookies(view, cookie === undefined ? [] : [cookie]);
}

const personOf = (visitor: Visitor): SessionView['person'] => ({
  id: visitor.userId,
  session_id: visitor.sessionId,
  email: visitor.email,
  name: visitor.name,
  email_verified: visitor.emailVerified,
  must_set_two_factor: visitor.mustSetTwoFactor,
});

/** Shows the organizations of a visitor. One whose account is gone is left out. */
async function organizationsOf(
  { accounts }: DashboardParts,
  { memberships }: Visitor,
): Promise<SessionView['organizations']> {
  const found = await Promise.all(
    memberships.map(async ({ accountId, role }) => ({ account: await accounts.find(accountId), role })),
  );
  return found.flatMap(({ account, role }) => {
    if (account instanceof Refusal) return [];
    const { id, name, plan, status } = account;
    return { id, name, plan, status, role };
  });
}

async function settingsFor(
  { store, joining, post }: DashboardParts,
  exchange: Exchange,
): Promise<SessionView['settings']> {
  const { providers } = exchange.snapshot.config.dashboard;
  const hasField = hasTokenField(exchange);
  return {
    open_sign_up: joining.isOpen,
    mail: post.hasMail,
    admin_token_field: hasField,
    providers: providers.map((row) => ({ id: providerIdOf(row), name: providerNameOf(row) })),
    first_start: hasField && (await store.countPeople('operator_role')) === 0,
  };
}
