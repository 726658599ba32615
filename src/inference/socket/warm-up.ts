import { Refusal } from '../../base/errors/refusal.ts';
import { type JsonBody, knownBody } from '../../base/json/json-body.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { encodeEnvelope } from '../../translation/protocols/responses/envelope.ts';
import { noteModel } from '../admission/note-model.ts';
import { randomPartOf } from '../request/random-part-of.ts';
import type { Services } from '../request/services.ts';
import type { ContinuedRequest } from './continued-request.ts';

type WarmUpParts = { services: Services; dialect: Dialect; clock: Clock };

const STATES = [
  ['response.created', 'in_progress'],
  ['response.completed', 'completed'],
] as const;

/** Checks a request and answers it without a model, so that the next turn can continue it. */
export async function warmUp(
  { services, dialect, clock }: WarmUpParts,
  exchange: Exchange,
  { body, echo }: ContinuedRequest,
): Promise<{ id: string; model: string; events: object[] } | Refusal> {
  noteModel(exchange, body.value.model);
  const principal = await services.authenticator.authenticateRead(exchange, 'bearer');
  if (principal instanceof Refusal) return principal;
  const request = dialect.read(withSomeInput(body));
  if (request instanceof Refusal) return request;
  const { model } = request;
  if (!exchange.snapshot.catalog.lookUp(model, 'chat'))
    return new Refusal('unknown_model', { param: 'model' });
  const id = `resp_${randomPartOf(exchange.requestId)}`;
  const createdAt = Math.floor(clock.now() / 1_000);
  const head = { responseId: id, model, createdAt, body, ...(echo && { echo }) };
  const events = STATES.map(([type, status], index) => ({
    type,
    sequence_number: index,
    response: encodeEnvelope(head, { status, output: [], outputText: '' }),
  }));
  return { id, model, events };
}

/** A warm-up may have no input yet. */
function withSomeInput(body: JsonBody): JsonBody {
  const { input } = body.value;
  const isEmpty = input == null || (Array.isArray(input) && input.length === 0);
  return isEmpty ? knownBody(body.text, { ...body.value, input: '' }) : body;
}
