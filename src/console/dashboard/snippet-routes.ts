import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { clientSnippets, fillSnippet } from '../docs/client-snippets.ts';
import { accepted } from '../routes/accepted.ts';
import { type Allowance, chooseModels } from './choose-models.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardCall, dashboardRoute } from './dashboard-route.ts';
import { type SnippetList, snippetList, snippetsQuery } from './snippet-schema.ts';

/** The output that a client assumes for a model without a separate limit. */
const USUAL_OUTPUT = 32_768;

type Call = DashboardCall & { query: Static<typeof snippetsQuery> };

/** The settings of clients, for the plan of the organization and one of its keys. */
export const snippetRoutes = [
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/organizations/{account}/snippets',
      access: 'viewer',
      query: snippetsQuery,
      answer: snippetList,
    },
    (call, parts) => showSnippets(parts, call),
  ),
];

async function showSnippets(
  parts: Pick<DashboardParts, 'accounts'>,
  call: Call,
): Promise<SnippetList | Refusal> {
  const allowance = accepted(await allowanceOf(parts, call));
  const { snapshot } = call.exchange;
  const chosen = chooseModels(snapshot, allowance, call.query.model);
  if (!chosen) return new Refusal('not_found', { message: 'The catalog has no chat model.' });
  const { main, small, isCallable } = chosen;
  const { id: modelId, contextWindow, maxOutput } = main.model;
  const origin = publicUrl(call.exchange);
  const values = {
    origin,
    model: modelId,
    small_model: small.model.id,
    context: String(contextWindow),
    output: String(maxOutput ?? Math.min(USUAL_OUTPUT, contextWindow)),
  };
  return {
    base_url: `${origin}/v1`,
    model: modelId,
    is_callable: isCallable,
    snippets: clientSnippets.map((snippet) => {
      const { id, title, kind, note, parts: filled } = fillSnippet(snippet, values);
      return { id, title, kind, note, parts: [...filled] };
    }),
  };
}

async function allowanceOf(
  { accounts }: Pick<DashboardParts, 'accounts'>,
  { accountId, exchange, query }: Call,
): Promise<Allowance | Refusal> {
  const account = accepted(await accounts.find(accountId));
  const plan = exchange.snapshot.plans[account.plan];
  if (query.key === undefined) return { plan, payg: false, allowedModels: null };
  const keys = accepted(await accounts.listKeys(accountId));
  const key = keys.find(({ id }) => id === query.key);
  if (!key) return new Refusal('not_found', { message: 'The organization has no API key with this id.' });
  return { plan, payg: key.payg, allowedModels: key.allowedModels };
}
