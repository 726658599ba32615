import { Refusal } from '../../base/errors/refusal.ts';
import { accountMark } from '../../settings/hosts/account-mark.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Frame } from '../../translation/contract/codec.ts';
import { fitReasoning, markReasoning } from '../../translation/protocols/responses/mark-reasoning.ts';

const UNREADABLE = 'input: only the provider that compacted this conversation can read it';

const WIRE = 'openai-responses';

/**
 * Marks encrypted reasoning with the account that produced it, if a model is served from several accounts.
 * Marked reasoning is sent back to its own account only.
 */
export function bindReasoning(
  carriage: Carriage,
  target: Target,
  targets: readonly Target[],
): Carriage | Refusal {
  if (carriage.wire !== WIRE) return carriage;
  const mark = accountMark(target.provider);
  const { body, losses, isUnreadable } = fitReasoning(carriage.body, mark);
  if (isUnreadable) return new Refusal('route_not_qualified', { param: 'input', message: UNREADABLE });
  const fitted = { ...carriage, body, losses: [...new Set([...carriage.losses, ...losses])] };
  const isShared = targets.some(
    ({ provider, wires }) => wires.includes(WIRE) && accountMark(provider) !== mark,
  );
  if (!isShared) return fitted;
  return {
    ...fitted,
    mark,
    readAnswer: (text) => carriage.readAnswer(markReasoning(text, mark)),
    frameReader() {
      const reader = carriage.frameReader();
      const marked = (frame: Frame) => {
        const data = markReasoning(frame.data, mark);
        return reader(data === frame.data ? frame : { ...frame, data });
      };
      return Object.assign(marked, { answerText: reader.answerText });
    },
  };
}
