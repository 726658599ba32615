import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { isSimulated } from '../../settings/catalog/catalog.ts';
import { promptTooLong } from '../qualification/prompt-too-long.ts';
import type { Inference } from '../request/inference.ts';
import { markSimulated } from '../request/mark-simulated.ts';
import { askModel } from './ask-model.ts';
import { askSubstitutes } from './ask-substitutes.ts';
import { writeServedBy } from './write-served-by.ts';

/** Answers with the requested model, or with a comparable one if that fails. */
export async function answerRequest(inference: Inference): Promise<Reply | Refusal> {
  const { exchange, permit } = inference;
  const { header } = exchange.snapshot.names;
  if (permit.isPreview) writeServedBy(inference);
  // The mark is set before the answer, since a stream sends its headers first.
  if (isSimulated(permit.entry)) markSimulated(exchange);
  const reply = await askModel(inference);
  if (!(reply instanceof Refusal)) return reply;
  const instead = await askSubstitutes(inference, reply);
  if (instead) return instead;
  if (isSimulated(permit.entry)) delete exchange.headers[header.simulated];
  return explainLength(exchange, reply);
}

/**
 * If the upstream finds the prompt too long, the client gets the same error as from the gateway, with the
 * upstream's own figures.
 */
const explainLength = ({ style }: Exchange, refusal: Refusal): Refusal =>
  refusal.code === 'context_length_exceeded' ? promptTooLong(style, refusal.details.promptLengths) : refusal;
