import { Type } from '../../base/schema/type.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';
import { requestContent } from './request-content.ts';
import { showContent } from './show-content.ts';

const route = adminRouteWith<'accounts' | 'payloads' | 'requests'>();

/** Operators with the role `read_only` see no recorded content. */
const CONTENT_READERS: readonly AdminRole[] = ['owner', 'operator'];

const PATH = '/admin/v1/accounts/{id}/payload_logging';
const group = 'Admin: requests';
const text = Type.String();
const setting = Type.Object({ account_id: text, enabled: Type.Boolean() }, { title: 'Payload Logging' });

/** The routes that turn the recording of content on and off for an account, and delete what was recorded. */
export const payloadRoutes = [
  route(
    {
      method: 'GET',
      path: PATH,
      group,
      summary: "Shows whether the content of an account's requests is kept",
      answer: setting,
      returns: 'The setting.',
      errors: ['not_found'],
    },
    async ({ params }, { accounts, payloads }) => {
      const { id } = accepted(await accounts.find(params.id));
      return { account_id: id, enabled: payloads.isOn(id) };
    },
  ),
  route(
    {
      method: 'PATCH',
      path: PATH,
      group,
      summary: "Keeps the content of an account's requests from now on, or stops to keep it",
      body: Type.Object({ enabled: Type.Boolean() }, closed),
      bodyExample: { enabled: true },
      answer: setting,
      returns: 'The setting. Other processes follow within five seconds.',
      errors: ['invalid_request', 'not_found'],
    },
    async ({ params, body: { enabled }, actor }, { accounts, payloads }) => {
      const { id } = accepted(await accounts.find(params.id));
      const before = { enabled: payloads.isOn(id) };
      // The audit entry is written first, so that no content is kept without one.
      await accounts.record('payload-logging', id, { before, after: { enabled }, actor });
      await payloads.set(id, enabled);
      return { account_id: id, enabled };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${PATH}/content`,
      group,
      summary: "Deletes the kept content of an account's requests",
      answer: Type.Object({ account_id: text, deleted: Type.Integer() }),
      returns: 'The number of requests whose content was deleted.',
      errors: ['not_found'],
    },
    async ({ params, actor }, { accounts, payloads }) => {
      const { id } = accepted(await accounts.find(params.id));
      const deleted = await payloads.delete(id);
      await accounts.record('payload-delete', id, { before: null, after: { deleted }, actor });
      return { account_id: id, deleted };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/admin/v1/requests/{id}/content',
      roles: CONTENT_READERS,
      group,
      summary: 'Shows the kept content of a request, redacted',
      answer: requestContent,
      returns: 'The content.',
      errors: ['not_found'],
    },
    ({ params, actor }, parts) => showContent(parts, { id: params.id, actor }),
  ),
];
