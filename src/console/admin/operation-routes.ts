import { Refusal } from '../../base/errors/refusal.ts';
import type { AdvancingClock } from '../../base/lib/clock.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { Type } from '../../base/schema/type.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { AuditFilter } from '../../money/accounts/audit.ts';
import { adminAnswers } from './admin-answers.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { auditView } from './audit-view.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';
import { checkedBody } from './read-checked-body.ts';
import { timeParameter } from './time-parameter.ts';

/** The routes for the audit log and the reload, and for the clock of a test server. */
export function operationRoutes(dependencies: AdminDependencies): Route[] {
  const { accounts, movableClock, reload } = dependencies;

  const listAudit: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    if (page.after !== undefined && !(await accounts.findAudit(page.after)))
      return unknownAfter('an entry of the audit log');
    const filter = auditFilter(exchange.query);
    if (filter instanceof Refusal) return filter;
    const { items, hasMore } = await accounts.listAudit({ ...page, ...filter });
    return jsonReply(200, listView(items.map(auditView), hasMore));
  };

  const reloadConfiguration: Route['handle'] = async (exchange) => {
    const outcome = await reload(actorOf(exchange));
    return 'problems' in outcome ? refuseConfiguration(outcome.problems) : jsonReply(200, outcome);
  };

  return [
    { method: 'GET', path: '/admin/v1/audit', handle: listAudit, describe: told.listAudit },
    { method: 'POST', path: '/admin/v1/reload', handle: reloadConfiguration, describe: told.reload },
    ...(movableClock ? [clockRoute(movableClock, dependencies)] : []),
  ];
}

function auditFilter(query: string): AuditFilter | Refusal {
  const parameters = new URLSearchParams(query);
  const text = (name: string) => parameters.get(name) ?? undefined;
  const since = timeParameter(parameters, 'since');
  if (since instanceof Refusal) return since;
  const until = timeParameter(parameters, 'until');
  if (until instanceof Refusal) return until;
  return { actor: text('actor'), action: text('action'), target: text('target'), since, until };
}

function refuseConfiguration(problems: string[]): Refusal {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const message = `The configuration has ${count}. The running configuration stays in place: ${problems[0]}`;
  return new Refusal('invalid_request', { message, fields: { details: problems } });
}

const TEN_YEARS_S = 10 * 366 * 86_400;

const advanceBody = checkedBody(
  Type.Object(
    { advance_s: Type.Number({ exclusiveMinimum: 0, maximum: TEN_YEARS_S }) },
    { additionalProperties: false },
  ),
);

function clockRoute(movableClock: AdvancingClock, { accounts, readBody }: AdminDependencies): Route {
  return {
    method: 'POST',
    path: '/admin/v1/test/clock',
    describe: {
      group: 'Admin: operation',
      key: 'admin',
      summary: 'Advances the clock of a test server, timers included',
      body: advanceBody.schema,
      bodyExample: { advance_s: 3_600 },
      answer: 'The new time of the server.',
      answerSchema: adminAnswers.clock,
    },
    handle: async (exchange) => {
      const body = await advanceBody(exchange, readBody);
      if (body instanceof Refusal) return body;
      const before = movableClock.now();
      await movableClock.advance(body.advance_s * 1_000);
      const now = movableClock.now();
      const change = { before: { clockAt: before }, after: { clockAt: now }, actor: actorOf(exchange) };
      await accounts.record('clock-advance', 'clock', change);
      return jsonReply(200, { now: isoTime(now) });
    },
  };
}
