import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/start-over.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { ArrivedRequest } from '../request/arrived-request.ts';
import { runsInBackground } from '../request/background-starter.ts';
import { Inference } from '../request/inference.ts';
import type { Services } from '../request/services.ts';
import { answerInference } from './answer-inference.ts';

/** Handles one request from top to bottom: authentication, body, the steps to its tab, and the answer. */
export async function handleInference(
  exchange: Exchange,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  const { authenticator } = services;
  const starting = services.starts.next();
  if (starting) await starting;
  const authenticated = authenticator.authenticate(exchange, dialect.keyHeader);
  const principal = authenticated instanceof Promise ? await authenticated : authenticated;
  if (principal instanceof Refusal) return principal;
  const bodyOrForm = await (dialect.form
    ? services.readForm(exchange, dialect.form)
    : services.readBody(exchange));
  if (bodyOrForm instanceof Refusal) return bodyOrForm;
  const body = dialect.bodyAt ? dialect.bodyAt(bodyOrForm, exchange.params) : bodyOrForm;
  if (body instanceof Refusal) return body;
  const arrived = { exchange, principal, body };
  const recorded = services.recorder?.answer(arrived, () => answerArrived(arrived, dialect, services));
  return await (recorded ?? answerArrived(arrived, dialect, services));
}

async function answerArrived(
  { exchange, principal, body }: ArrivedRequest,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  if (body.value['background'] === true && services.background && runsInBackground(dialect))
    return services.background.begin({ exchange, principal, body, dialect });
  const answerFor = (caller: Principal) =>
    answerInference(new Inference(services, dialect, { exchange, principal: caller, body }));
  try {
    return await answerFor(principal); // the handler below sees a failure only of an awaited promise
  } catch (error) {
    return startOver(error, principal, {
      authenticate: (stale) => services.authenticator.authenticateAgain(exchange, stale, dialect.keyHeader),
      work: answerFor,
    });
  }
}
