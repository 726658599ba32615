import { Refusal } from '../../base/errors/refusal.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { clientSnippets, fillSnippet } from '../docs/client-snippets.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithQuery } from '../routes/typed-route.ts';
import { type Allowance, chooseModels } from './choose-models.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { findKeyOf } from './find-key.ts';
import type { SnippetList, snippetsQuery } from './snippet-schema.ts';

/** The output that a client assumes for a model without a separate limit. */
const USUAL_OUTPUT = 32_768;

type SnippetsCall = OrganizationCall<WithQuery<typeof snippetsQuery>>;

/** Shows the settings of clients, with models that the plan or the named key can call. */
export async function showSnippets(call: SnippetsCall, parts: DashboardParts): Promise<SnippetList> {
  const chosen = chooseModels(call.exchange.snapshot, await allowanceOf(call, parts), call.query.model);
  if (!chosen) throw noChatModel();
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
  { accountId, exchange, query: { key: keyId } }: SnippetsCall,
  parts: DashboardParts,
): Promise<Allowance> {
  const account = accepted(await parts.accounts.find(accountId));
  const plan = exchange.snapshot.plans[account.plan];
  if (keyId === undefined) return { plan, payg: false, allowedModels: null };
  const { payg, allowedModels } = await findKeyOf(parts, { accountId, keyId });
  return { plan, payg, allowedModels };
}

const noChatModel = (): Refusal => new Refusal('not_found', { message: 'The catalog has no chat model.' });
