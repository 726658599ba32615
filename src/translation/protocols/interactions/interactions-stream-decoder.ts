import type { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/codec.ts';
import { DONE } from '../../framing/done.ts';
import { OpenStep } from './open-step.ts';
import { refusalOf } from './refusal-of.ts';
import { isEnd, stopOf } from './stop.ts';
import { addCounts, type InteractionCounts, usageOf } from './usage.ts';

/** Decodes one stream of steps. */
export class InteractionsStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #steps = new Map<number, OpenStep>();
  #isEnded = false;
  #hasCalled = false;
  #counts: InteractionCounts = {};
  /** The last status that an event has reported. */
  #status = '';

  read({ data }: Frame): StreamEvent[] {
    if (this.#isEnded) return [];
    if (data === DONE) this.#finish(this.#status, {});
    else {
      const event = parseObject(data);
      lookUp(this.#readers, textOf(event.event_type))?.(event, data);
    }
    return this.#events.take();
  }

  readonly #readers: Readonly<Record<string, (event: Fields, text: string) => void>> = {
    'interaction.created': ({ interaction }) => this.#start(objectOf(interaction)),
    'interaction.status_update': ({ status, usage }) => {
      this.#status = textOf(status) ?? this.#status;
      this.#count(usage);
    },
    'step.start': ({ index, step }, text) => this.#beginStep(Number(index), objectOf(step), text),
    'step.delta': ({ index, delta, metadata }) => {
      this.#steps.get(Number(index))?.grow(objectOf(delta));
      this.#count(objectOf(metadata).total_usage);
    },
    'step.stop': ({ index, usage }) => {
      this.#endStep(Number(index));
      this.#count(usage);
    },
    'interaction.completed': ({ interaction }) => {
      const whole = objectOf(interaction);
      this.#count(whole.usage);
      this.#finish(textOf(whole.status) ?? 'completed', whole);
    },
    error: ({ error }) => this.#fail(refusalOf(error)),
  };

  #start({ id, model }: Fields): void {
    const responseId = textOf(id) ?? '';
    this.#events.push({ type: 'response-start', responseId, model: textOf(model) ?? '' });
  }

  #beginStep(index: number, fields: Fields, text: string): void {
    const step = new OpenStep(fields, text, this.#events);
    this.#steps.set(index, step);
    this.#hasCalled ||= step.isCall;
  }

  #endStep(index: number): void {
    this.#steps.get(index)?.end();
    this.#steps.delete(index);
  }

  #count(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    this.#counts = addCounts(this.#counts, usage);
    const reportedUsage = usageOf(this.#counts);
    if (reportedUsage) this.#events.push({ type: 'usage', usage: reportedUsage });
  }

  #finish(status: string, { errors }: Fields): void {
    if (!isEnd(status)) return; // the stream was cut
    for (const index of [...this.#steps.keys()]) this.#endStep(index);
    const end = stopOf(status, { errors: listOf(errors), hasCalled: this.#hasCalled });
    if ('refusal' in end) {
      this.#fail(end.refusal);
      return;
    }
    this.#isEnded = true;
    this.#events.push({ type: 'response-end', stop: end.stop });
  }

  #fail(refusal: Refusal): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal });
  }
}
