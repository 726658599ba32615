import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { matching } from '../../customers/people/people-tests.ts';
import type { MemberRole } from '../../customers/people/visitor.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ManagedSettings } from '../../settings/config/read-managed-settings.ts';
import type { ClientParts, ClientRoute } from './client-parts.ts';

const describe: RouteDescription = {
  group: 'Claude Code',
  key: 'bearer',
  summary: "Shows the settings of Claude Code that the operator has set for the key's group",
  headers: [{ name: 'if-none-match', description: 'The `etag` of an earlier answer.' }],
  answer: 'The settings.',
  answerSchema: Type.Object(
    {
      uuid: Type.String({ description: 'Stands for the content.' }),
      checksum: Type.String({
        description: '`sha256:` and the SHA-256 of the settings with sorted keys and without white space.',
      }),
      settings: Type.Object({}, { additionalProperties: true }),
    },
    { title: 'Managed Settings' },
  ),
  otherAnswers: { 304: { description: 'The client has these settings.' } },
  errors: ['not_found'],
};

/** Serves the first row of `claude_code.managed_settings` that fits the key. */
export const managedSettingsRoute: ClientRoute = {
  method: 'GET',
  path: '/managed/settings',
  describe,
  async handle(exchange, { authenticator, store }) {
    const principal = await authenticator.authenticateRead(exchange, 'bearer');
    if (principal instanceof Refusal) return principal;
    const rows = exchange.snapshot.managedSettings.filter(isForAccount(principal));
    const role = rows.some(({ roles }) => roles !== null) ? await roleOf(principal, store) : undefined;
    const found = rows.find(({ roles }) => roles === null || (role !== undefined && roles.includes(role)));
    if (!found) return noSettings();
    const headers = { etag: found.etag, 'cache-control': 'private, no-cache' };
    // A client that asks with an asterisk wants to know whether there are
    // settings, and takes 304 for a failure.
    const etag = exchange.request.headers.get('if-none-match');
    if (etag?.trim() !== '*' && matchesEtag(etag, found.etag)) return { status: 304, body: null, headers };
    return { status: 200, body: found.body, headers: { 'content-type': 'application/json', ...headers } };
  },
};

const isForAccount =
  ({ account }: Principal) =>
  ({ accounts }: ManagedSettings): boolean =>
    accounts === null || accounts.includes(account.id) || accounts.includes(account.name);

async function roleOf(
  { account, apiKey }: Principal,
  store: ClientParts['store'],
): Promise<MemberRole | undefined> {
  if (apiKey.personId === null) return undefined;
  const where = matching({ account_id: account.id, person_id: apiKey.personId });
  return (await store.findPeople('membership', { where }))[0]?.role;
}

const noSettings = (): Refusal =>
  new Refusal('not_found', { message: 'There are no managed settings for this key.' });
