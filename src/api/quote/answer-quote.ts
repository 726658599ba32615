import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Permit } from '../../inference/admission/admit.ts';
import { judge } from '../../inference/admission/admit.ts';
import { refuseAdvisors } from '../../inference/admission/advisors.ts';
import { holdOrder } from '../../inference/admission/hold-credit.ts';
import { countedRequests } from '../../inference/gateway/counted-requests.ts';
import { asItIs, type Gateway, noteModel, paidBy } from '../../inference/gateway/gateway.ts';
import { MeasuredPrompt } from '../../inference/gateway/measure-prompt.ts';
import { qualifyRequest } from '../../inference/gateway/qualify-request.ts';
import { tellSimulated } from '../../inference/gateway/tell-simulated.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { quoteCredit } from './quote-credit.ts';
import { quoteDescription } from './quote-description.ts';
import { quoteView } from './quote-view.ts';
import { formNamed, type ReadBody, readAnyDialect, type Spoken } from './read-any-dialect.ts';

export type QuoteParts = Pick<
  Gateway,
  'authenticator' | 'readBody' | 'readForm' | 'counter' | 'conversations' | 'till'
> & {
  dialects: readonly Spoken[];
};

/** The route that quotes the cost and the admission of a request, without sending it or using any limit. */
export const quoteRoute = (parts: QuoteParts): Route => ({
  method: 'POST',
  path: '/v1/quote',
  describe: quoteDescription,
  handle: (exchange) => handleQuote(exchange, parts),
});

/** Quotes a request for the caller that the service's authenticator finds. */
export async function handleQuote(exchange: Exchange, parts: QuoteParts): Promise<Reply | Refusal> {
  const principal = await parts.authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const form = formNamed(exchange, parts.dialects);
  const body = await (form ? parts.readForm(exchange, form) : parts.readBody(exchange));
  if (body instanceof Refusal) return body;
  noteModel(exchange, body.value.model);
  const asked = readAnyDialect(exchange, body, parts.dialects);
  if (asked instanceof Refusal) return asked;
  const { dialect, request } = asked;
  const judged = judge(exchange, principal, { name: request.model, kind: dialect.modelKind ?? 'chat' });
  if (judged instanceof Refusal) return judged;
  const { permit, unlisted, wrongKind } = judged;
  const { snapshot } = exchange;
  const unadvised = refuseAdvisors(body.value, { ...permit, principal, snapshot });
  if (unadvised?.code === 'route_not_qualified') return unadvised;
  const closed = judged.closed ?? unlisted ?? unadvised;
  if (wrongKind) return wrongKind;
  if (closed?.code === 'invalid_request') return closed; // an invalid payment mode header
  exchange.notes.servedModel = permit.entry.model.id;
  return quote({ exchange, principal, permit, asked, closed }, parts);
}

type Quoting = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  asked: ReadBody;
  /** The refusal if the caller has no access to the model. */
  closed: Refusal | undefined;
};

async function quote(quoting: Quoting, parts: QuoteParts): Promise<Reply | Refusal> {
  const { exchange, principal, permit, asked, closed } = quoting;
  const fitted = await fit(quoting, parts);
  if (fitted instanceof Refusal) return fitted;
  const { request, exceedsPlan } = fitted;
  const { entry, mode } = permit;
  const { ledger, limits, clock } = parts.till;
  const prompt = new MeasuredPrompt(request, { entry, counter: callersCounter(quoting, parts) });
  const { dialect } = asked;
  const question = { exchange, principal, permit, dialect, request, prompt, isNative: false };
  const now = clock.now();
  const credit = await quoteCredit(question, { ledger, now });
  const inputTokens = prompt.estimate();
  const view = quoteView({
    endpoint: asked.path,
    model: entry.model.id,
    mode,
    inputTokens,
    credit,
    plan: closed ?? exceedsPlan,
    limits: await limits.refusalFor(exchange, principal, {
      requests: countedRequests(request),
      tokens: inputTokens,
      isConcurrent: true,
      credit: holdOrder({ exchange, principal, mode, now }),
    }),
  });
  if (isSimulated(entry)) tellSimulated(exchange);
  return jsonReply(200, view, { 'cache-control': 'private, no-store' });
}

const callersCounter = (
  { exchange, principal }: Pick<Quoting, 'exchange' | 'principal'>,
  { counter }: QuoteParts,
) => counter.for({ account: principal.account.id, request: exchange.request });

type Fitted = { request: InferenceRequest; exceedsPlan: Refusal | undefined };

/** Prepares the request like a real one, with the conversation it continues. A prompt too long for the plan is still quoted. */
async function fit(
  { exchange, principal, permit, asked }: Quoting,
  parts: QuoteParts,
): Promise<Fitted | Refusal> {
  const { dialect, request } = asked;
  const { entry } = permit;
  const kept = { exchange, principal, request, model: entry.model.id, id: '' };
  const prepared = dialect.keepsAnswers ? await parts.conversations.prepare(kept) : asItIs(request);
  if (prepared instanceof Refusal) return prepared;
  const qualified = await qualifyRequest({
    exchange,
    dialect,
    request: prepared.request,
    entry,
    counter: callersCounter({ exchange, principal }, parts),
    plan: paidBy(principal, permit),
    rated: { mode: permit.mode, isNative: false, at: () => parts.till.clock.now() },
  });
  if (!(qualified instanceof Refusal)) return { request: qualified, exceedsPlan: undefined };
  if (qualified.code !== 'input_exceeds_plan') return prepared.explain(qualified);
  return { request: prepared.request, exceedsPlan: qualified };
}
