import { Refusal } from '../../base/errors/refusal.ts';
import type { AnswerOrder } from '../fan-out/answer-order.ts';

/** Releases the files of a form once a route has answered, since no other route can be tried then. */
export function forgetUpload<T>(
  { exchange, request }: Pick<AnswerOrder, 'exchange' | 'request'>,
  answering: Promise<T | Refusal>,
): Promise<T | Refusal> {
  if (!request.body.form) return answering;
  return answering.then((answered) => {
    if (!(answered instanceof Refusal)) exchange.upload?.release();
    return answered;
  });
}
