import { Refusal } from '../../base/errors/refusal.ts';
import type { Inference } from '../request/inference.ts';

/** Refuses several answers if no wire of the model gives them, and the dialect's requests cannot be split. */
export function refuseSeveral({
  dialect,
  entry,
  request,
}: Pick<Inference, 'dialect' | 'entry' | 'request'>): Refusal | undefined {
  const { codec, wire } = dialect;
  if ((request.answers ?? 1) <= 1 || codec === undefined || codec.severalAnswers) return undefined;
  if (entry.targets.some(({ wires }) => wires.includes(wire))) return undefined;
  const param = codec.paramNames?.['n'] ?? 'n';
  return new Refusal('invalid_request', {
    param,
    message: `${param}: ${entry.model.id} gives one answer at a time`,
  });
}
