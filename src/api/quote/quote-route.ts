import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { findPermit } from '../../inference/admission/admit.ts';
import { noteModel } from '../../inference/admission/note-model.ts';
import { noteSpender } from '../../inference/admission/note-spender.ts';
import { refuseFurtherModels } from '../../inference/admission/refuse-further-models.ts';
import { refuseKind } from '../../inference/admission/refuse-kind.ts';
import { refuseUnlisted } from '../../inference/admission/refuse-model.ts';
import { answerCount } from '../../inference/cost/answer-count.ts';
import { MeasuredPrompt } from '../../inference/cost/measured-prompt.ts';
import { holdOrder } from '../../inference/hold/hold-order.ts';
import { qualify } from '../../inference/qualification/qualify.ts';
import { Inference } from '../../inference/request/inference.ts';
import { markSimulated } from '../../inference/request/mark-simulated.ts';
import type { Services } from '../../inference/request/services.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import { quoteCredit } from './quote-credit.ts';
import { type QuoteView, quoteDescription } from './quote-description.ts';
import { quoteView } from './quote-view.ts';
import { type DialectEndpoint, formNamed, readAnyDialect } from './read-any-dialect.ts';

/**
 * Returns the route that quotes the cost and the admission of a request, without sending it or using any
 * limit.
 */
export const quoteRoute = (dialects: readonly DialectEndpoint[], services: Services): Route => ({
  method: 'POST',
  path: '/v1/quote',
  describe: quoteDescription,
  handle: (exchange) => handleQuote(exchange, dialects, services),
});

/** Quotes a request for the caller that the authenticator finds. */
export async function handleQuote(
  exchange: Exchange,
  dialects: readonly DialectEndpoint[],
  services: Services,
): Promise<Reply | Refusal> {
  const principal = await services.authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) return principal;
  const form = formNamed(exchange, dialects);
  const body = await (form ? services.readForm(exchange, form) : services.readBody(exchange));
  if (body instanceof Refusal) return body;
  noteModel(exchange, body.value.model);
  const faulty = noteSpender(exchange, principal.apiKey.tags, body.value);
  if (faulty) return faulty;
  const question = readAnyDialect(exchange, body, dialects);
  if (question instanceof Refusal) return question;
  noteModel(exchange, question.request.model);
  const inference = new Inference(services, question.dialect, {
    exchange,
    principal,
    body: question.request.body,
  });
  inference.clientRequest = question.request;
  inference.request = question.request;
  return quote(inference, question.path);
}

/** A caller without access to the model gets a quote too. It says why the request would be refused. */
async function quote(inference: Inference, path: string): Promise<Reply | Refusal> {
  const { exchange } = inference;
  const closed = admitForQuote(inference);
  if (closed?.isFinal) return closed.refusal;
  exchange.notes.servedModel = inference.entry.model.id;
  const excess = await fit(inference);
  if (excess && excess.code !== 'input_exceeds_plan') return excess;
  const view = await showQuote(inference, { path, plan: closed?.refusal ?? excess });
  if (isSimulated(inference.entry)) markSimulated(exchange);
  return jsonReply(200, view, { 'cache-control': 'private, no-store' });
}

/**
 * A refusal of the caller. `isFinal`: every request like this one is refused, so that there is nothing to
 * quote.
 */
type CallerRefusal = { refusal: Refusal; isFinal: boolean };

/** Finds the model and the payment mode. A caller without access gets a quote unless the refusal is final. */
function admitForQuote(inference: Inference): CallerRefusal | undefined {
  const { exchange, principal, dialect, request, body } = inference;
  const kind = dialect.modelKind ?? 'chat';
  const finding = findPermit(exchange, principal, { name: request.model, kind });
  if (finding instanceof Refusal) return { refusal: finding, isFinal: true };
  const { permit } = finding;
  const { entry, mode } = permit;
  inference.permit = permit;
  inference.entry = entry;
  const { snapshot } = exchange;
  const besideRefusal = refuseFurtherModels(body.value, { principal, mode, entry, snapshot });
  if (besideRefusal?.code === 'route_not_qualified') return { refusal: besideRefusal, isFinal: true };
  const wrongKind = refuseKind(entry, kind);
  if (wrongKind) return { refusal: wrongKind, isFinal: true };
  const refusal = finding.excluded ?? refuseUnlisted(inference) ?? besideRefusal;
  // The payment mode in the header is invalid.
  return refusal && { refusal, isFinal: refusal.code === 'invalid_request' };
}

/** Fits the request to the model like a real one, with the conversation that it continues. */
async function fit(inference: Inference): Promise<Refusal | undefined> {
  if (inference.dialect.keepsAnswers) {
    const conversation = await inference.services.conversations.prepare({
      exchange: inference.exchange,
      principal: inference.principal,
      request: inference.request,
      dialect: inference.dialect,
      entry: inference.entry,
      id: inference.id,
      isRead: true,
    });
    if (conversation instanceof Refusal) return conversation;
    inference.conversation = conversation;
    inference.request = conversation.request;
  }
  const { request } = inference;
  const refusal = await qualify(inference);
  // A prompt that is too long for the plan is still quoted.
  if (refusal) inference.request = request;
  inference.prompt = new MeasuredPrompt(inference);
  return refusal;
}

/** Shows the quote, with the refusals of the checks that a request would fail. */
async function showQuote(
  inference: Inference,
  { path, plan }: { path: string; plan: Refusal | undefined },
): Promise<QuoteView> {
  const { exchange, principal, permit, request, prompt, entry, services } = inference;
  const { mode } = permit;
  const now = services.clock.now();
  const credit = await quoteCredit(inference, now);
  const inputTokens = prompt.estimate();
  return quoteView({
    endpoint: path,
    model: entry.model.id,
    mode,
    inputTokens,
    credit,
    plan,
    limits: await services.limits.refusalFor(exchange, principal, {
      requests: answerCount(request),
      tokens: inputTokens,
      isConcurrent: true,
      credit: holdOrder({ exchange, principal, mode, now }),
    }),
  });
}
