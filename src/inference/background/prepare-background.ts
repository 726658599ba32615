import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { parseBody } from '../../base/json/parse-body.ts';
import { patchChecked } from '../../base/json/patch-json.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/start-over.ts';
import { prepareInference } from '../gateway/prepare-inference.ts';
import type { BackgroundArrival } from '../request/background-starter.ts';
import { Inference } from '../request/inference.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { BackgroundResponse } from './background-store.ts';

type PrepareParts = Pick<BackgroundParts, 'services' | 'authenticator'>;

/** Takes a request through the steps to its tab. It is always made as a stream, whose frames are kept. */
export async function prepareBackground(
  { services, authenticator }: PrepareParts,
  arrived: BackgroundArrival,
): Promise<Inference | Refusal> {
  const { dialect } = arrived;
  const text = patchChecked(arrived.body.text, arrived.body.value, { stream: 'true' });
  const body = knownBody(text, { ...arrived.body.value, stream: true });
  const work = async (principal: Principal): Promise<Inference | Refusal> =>
    prepared(new Inference(services, dialect, { ...arrived, body, principal }));
  return work(arrived.principal).catch((error) =>
    startOver(error, arrived.principal, {
      authenticate: (stale) => authenticator.authenticateAgain(arrived.exchange, stale, dialect.keyHeader),
      work,
    }),
  );
}

/** Prepares a response again whose process has died. Its key may have changed meanwhile. */
export async function prepareAgain(
  parts: PrepareParts,
  row: BackgroundResponse,
  { exchange, dialect }: Pick<BackgroundArrival, 'exchange' | 'dialect'>,
): Promise<Inference | Refusal> {
  const { services, authenticator } = parts;
  const principal = await authenticator.recognize(exchange, row.keyId);
  if (principal instanceof Refusal) return principal;
  const body = await parseBody(row.body, services.yieldQueue);
  return body instanceof Refusal ? body : prepareBackground(parts, { exchange, principal, body, dialect });
}

/** Runs the steps. A request that one of them refuses leaves its conversation, and gives back its memory. */
async function prepared(inference: Inference): Promise<Inference | Refusal> {
  try {
    const refusal = await prepareInference(inference);
    if (!refusal) return inference;
    await giveBack(inference);
    return refusal;
  } catch (error) {
    await giveBack(inference);
    throw error;
  }
}

/**
 * Gives back what a request has taken before its response begins, except its hold. The edge does not know the
 * exchange of a response in the background.
 */
export async function giveBack({ exchange, conversation }: Inference): Promise<void> {
  exchange.booking?.free();
  delete exchange.booking; // a request that starts over books anew
  await conversation?.leave?.();
}
