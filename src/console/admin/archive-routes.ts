import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import { archiveLedger, archiveView, closedBefore } from '../../money/ledger/archive-ledger.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { checkedBody } from './read-checked-body.ts';

const archiveBody = checkedBody(
  Type.Object(
    {
      before: Type.String({
        pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
        expected: 'a month such as 2026-10',
        description:
          'A month in UTC, for example 2026-10, at most the current one. Entries from before this month are moved.',
      }),
    },
    { additionalProperties: false },
  ),
);

const count = Type.Integer();

const told = {
  group: 'Admin: credits',
  key: 'admin',
  summary: 'Verifies the ledger and moves entries of closed months into compressed files',
  body: archiveBody.schema,
  bodyExample: { before: '2026-10' },
  answer: 'The number of moved entries, and the number and size of the new files.',
  answerSchema: Type.Object(
    { before: Type.String(), entries: count, segments: count, bytes: count },
    { title: 'Ledger Archive' },
  ),
  errors: ['invalid_request', 'conflict'],
} satisfies RouteDescription;

/** The route that archives the ledger. Requests are served meanwhile. */
export function archiveRoutes({ accounts, ledger, clock, readBody }: AdminDependencies): Route[] {
  const archive: Route['handle'] = async (exchange) => {
    const body = await archiveBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const before = closedBefore(body.before, clock.now());
    if (before === undefined) return notClosed();
    const outcome = await archiveLedger(ledger, before);
    if ('problem' in outcome) return new Refusal('conflict', { message: outcome.problem });
    const view = archiveView(body.before, outcome);
    await accounts.record('ledger-archive', 'ledger', {
      before: null,
      after: view,
      actor: actorOf(exchange),
    });
    return jsonReply(200, view);
  };
  return [{ method: 'POST', path: '/admin/v1/ledger/archive', handle: archive, describe: told }];
}

const notClosed = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'before must be a month such as 2026-10, and at most the current month.',
    param: 'before',
  });
