import { accountMark } from '../../settings/hosts/account-mark.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Frame } from '../../translation/protocols/codec.ts';
import type { Carriage } from '../../translation/protocols/dialect.ts';
import { fitSeals, labelSeals } from '../../translation/protocols/responses/seals.ts';

const WIRE = 'openai-responses';

/**
 * Marks content that an account has sealed, for example reasoning. If a model is served from several accounts, the content returns to its
 * own account only.
 */
export function bindSeals(carriage: Carriage, target: Target, targets: readonly Target[]): Carriage {
  if (carriage.wire !== WIRE) return carriage;
  const mark = accountMark(target.provider);
  const { body, losses } = fitSeals(carriage.body, mark);
  const fitted = { ...carriage, body, losses: [...new Set([...carriage.losses, ...losses])] };
  const isShared = targets.some(
    ({ provider, wires }) => wires.includes(WIRE) && accountMark(provider) !== mark,
  );
  if (!isShared) return fitted;
  return {
    ...fitted,
    mark,
    readAnswer: (text) => carriage.readAnswer(labelSeals(text, mark)),
    frameReader() {
      const read = carriage.frameReader();
      const labelled = (frame: Frame) => {
        const data = labelSeals(frame.data, mark);
        return read(data === frame.data ? frame : { ...frame, data });
      };
      return Object.assign(labelled, { said: read.said });
    },
  };
}
