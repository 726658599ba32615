import { Refusal } from '../../base/errors/refusal.ts';
import { accountMark } from '../../settings/hosts/account-mark.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Frame } from '../../translation/contract/frame.ts';
import type { FrameReader } from '../../translation/contract/frame-reader.ts';
import { fitReasoning, markReasoning } from '../../translation/protocols/responses/mark-reasoning.ts';
import { joinLosses } from './join-losses.ts';

/** The wire whose reasoning is encrypted for the account that asked for it. */
const WIRE: Wire = 'openai-responses';

/**
 * Binds encrypted reasoning to the account that produced it, since no other account can read it. The request
 * loses the reasoning of other accounts. The reasoning in the answer gets a mark of its account, if any of
 * the model's `targets` belongs to another one.
 */
export function bindReasoning(
  carriage: Carriage,
  target: Target,
  targets: readonly Target[],
): Carriage | Refusal {
  if (carriage.wire !== WIRE) return carriage;
  const mark = accountMark(target.provider);
  const { body, losses, isUnreadable } = fitReasoning(carriage.body, mark);
  if (isUnreadable) return unreadable();
  const fitted = { ...carriage, body, losses: joinLosses(carriage.losses, losses) };
  const isShared = targets.some(
    ({ provider, wires }) => wires.includes(WIRE) && accountMark(provider) !== mark,
  );
  return isShared ? markAnswers(fitted, mark) : fitted;
}

const unreadable = (): Refusal =>
  new Refusal('route_not_qualified', {
    param: 'input',
    message: 'input: only the provider that compacted this conversation can read it',
  });

/** Marks the reasoning in whole answers and in streams. */
const markAnswers = (carriage: Carriage, mark: string): Carriage => ({
  ...carriage,
  mark,
  readAnswer: (text) => carriage.readAnswer(markReasoning(text, mark)),
  frameReader: () => markFrames(carriage.frameReader(), mark),
});

function markFrames(reader: FrameReader, mark: string): FrameReader {
  const read = (frame: Frame) => {
    const data = markReasoning(frame.data, mark);
    return reader.read(data === frame.data ? frame : { ...frame, data });
  };
  return { read, answerText: reader.answerText };
}
