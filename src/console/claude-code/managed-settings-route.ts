import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import type { ClientRoute } from './client-parts.ts';
import { findManagedSettings } from './find-managed-settings.ts';

const describe: RouteDescription = {
  group: 'Claude Code',
  key: 'bearer',
  summary: "Shows the settings of Claude Code that the operator has set for the key's group",
  headers: [{ name: 'if-none-match', description: 'The `etag` of an earlier answer.' }],
  answer: 'The settings.',
  answerSchema: Type.Object(
    {
      uuid: Type.String({ description: 'Identifies this version of the settings.' }),
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
    const settings = await findManagedSettings(exchange.snapshot.managedSettings, principal, store);
    if (!settings) return noSettings();
    const { etag, body } = settings;
    const headers = { etag, 'cache-control': 'private, no-cache' };
    // Claude Code sends `*` to ask whether settings exist. It treats 304 as a failure, so the answer is 200.
    const ifNoneMatch = exchange.request.headers.get('if-none-match');
    if (ifNoneMatch?.trim() !== '*' && matchesEtag(ifNoneMatch, etag))
      return { status: 304, body: null, headers };
    return { status: 200, body, headers: { 'content-type': 'application/json', ...headers } };
  },
};

const noSettings = (): Refusal =>
  new Refusal('not_found', { message: 'There are no managed settings for this key.' });
