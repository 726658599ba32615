import { Refusal } from '../errors/refusal.ts';
import type { Asked } from '../fan-out/asked.ts';
import type { Reply } from '../http/reply.ts';
import type { Carriage } from '../protocols/dialect.ts';
import { RefusedAnswer } from '../protocols/refused-answer.ts';
import type { Target } from '../providers/target.ts';
import { carriages } from '../stream/carriages.ts';

/** Carries requests to targets by another way than a call, and answers back. */
export type Courier = {
  takes(target: Target): boolean;
  /** The answer's text, or why there is none yet. */
  bring(target: Target, carriage: Carriage): string | Refusal;
};

/** The answer that a courier brings from the first target that it goes to, in the client's own words and settled. */
export async function answerByCourier(
  asked: Asked,
  courier: Courier,
  only: 'same-wire' | undefined,
): Promise<Reply | Refusal> {
  const { entry, exchange, settle } = asked;
  const carriageTo = carriages(only ? { ...asked, only } : asked);
  let last: Refusal | undefined;
  for (const target of entry.targets.filter((one) => courier.takes(one))) {
    const carriage = carriageTo(target);
    const brought = carriage instanceof Refusal ? carriage : courier.bring(target, carriage);
    if (carriage instanceof Refusal || brought instanceof Refusal) {
      last ??= brought as Refusal;
      continue;
    }
    exchange.notes.provider = target.provider.id;
    const made = read(carriage, brought);
    if (made instanceof Refusal) return made;
    await settle({ exchange, usage: made.usage, answer: made.answer, text: made.text });
    return { status: 200, body: made.text, headers: { 'content-type': 'application/json' } };
  }
  return last ?? new Refusal('native_batch_unavailable');
}

function read(carriage: Carriage, text: string): ReturnType<Carriage['readAnswer']> | Refusal {
  try {
    return carriage.readAnswer(text);
  } catch (error) {
    return error instanceof RefusedAnswer
      ? error.refusal
      : new Refusal('upstream_unavailable', { cause: error });
  }
}
