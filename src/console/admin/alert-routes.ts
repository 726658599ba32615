import { Refusal } from '../../base/errors/refusal.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { alertDescriptions as told } from './alert-descriptions.ts';
import { alertView } from './alert-view.ts';
import { listView } from './list-view.ts';
import { pageQuery, unknownAfter } from './page-query.ts';

/** The routes that list alerts and send a test alert. */
export function alertRoutes({ alerts, accounts }: AdminDependencies): Route[] {
  const list: Route['handle'] = async (exchange) => {
    const page = pageQuery(exchange.query);
    if (page instanceof Refusal) return page;
    if (page.after !== undefined && !(await alerts.find(page.after))) return unknownAfter('an alert');
    const { items, hasMore } = await alerts.list(page);
    return jsonReply(200, listView(items.map(alertView), hasMore));
  };

  const test: Route['handle'] = async (exchange) => {
    const alert = await alerts.test();
    if (!alert)
      return new Refusal('invalid_request', {
        message: 'No webhook is configured. Add one to alerts.webhooks and reload the configuration.',
      });
    if (alert instanceof Refusal) return alert;
    await accounts.record('alert-test', alert.id, { before: null, after: null, actor: actorOf(exchange) });
    return jsonReply(200, alertView(alert));
  };

  return [
    { method: 'GET', path: '/admin/v1/alerts', handle: list, describe: told.list },
    { method: 'POST', path: '/admin/v1/alerts/test', handle: test, describe: told.test },
  ];
}
