import { listOf, numberIn, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';
import { type ReportedCounts, usageOf } from '../google/reported-counts.ts';
import { addCounts } from './add-counts.ts';
import { OpenStep } from './open-step.ts';
import { refusalOf } from './refusal-of.ts';
import { isEnd, stopOf } from './stop.ts';

/** Decodes one stream of steps. */
export class InteractionsStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #steps = new Map<number, OpenStep>();
  #hasCalled = false;
  #counts: ReportedCounts = {};
  /** The tier that served the request. The last event names it. */
  #tier: unknown;
  /** The last status that an event has reported. */
  #status = '';

  read({ data }: Frame): StreamEvent[] {
    if (this.#events.hasEnded) return [];
    if (data === DONE) this.#finish(this.#status, {});
    else {
      const event = parseObject(data);
      lookUp(this.#readers, textOf(event.event_type))?.(event, data);
    }
    return this.#events.take();
  }

  readonly #readers: Readonly<Record<string, (event: Fields, text: string) => void>> = {
    'interaction.created': ({ interaction }) => this.#events.start(objectOf(interaction)),
    'interaction.status_update': ({ status, usage }) => {
      this.#status = textOf(status) ?? this.#status;
      this.#count(usage);
    },
    'step.start': ({ index, step }, text) => this.#beginStep(numberIn(index), objectOf(step), text),
    'step.delta': ({ index, delta, metadata }) => {
      this.#steps.get(numberIn(index))?.grow(objectOf(delta));
      this.#count(objectOf(metadata).total_usage);
    },
    'step.stop': ({ index, usage }) => {
      this.#endStep(numberIn(index));
      this.#count(usage);
    },
    'interaction.completed': ({ interaction }) => {
      const whole = objectOf(interaction);
      this.#tier = whole.service_tier;
      this.#count(whole.usage);
      this.#finish(textOf(whole.status) ?? 'completed', whole);
    },
    error: ({ error }) => this.#events.fail(refusalOf(error)),
  };

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
    this.#events.addUsage(usageOf(this.#counts, this.#tier));
  }

  #finish(status: string, { errors }: Fields): void {
    if (!isEnd(status)) return; // the stream was cut
    for (const index of [...this.#steps.keys()]) this.#endStep(index);
    const end = stopOf(status, { errors: listOf(errors), hasCalled: this.#hasCalled });
    if ('refusal' in end) this.#events.fail(end.refusal);
    else this.#events.end(end.stop);
  }
}
