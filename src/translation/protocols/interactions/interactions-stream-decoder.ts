import type { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/codec.ts';
import { argumentsText } from './arguments-text.ts';
import { citationOf } from './citation-of.ts';
import { refusalOf } from './refusal-of.ts';
import { isEnd, stopOf } from './stop.ts';
import { addCounts, type InteractionCounts, usageOf } from './usage.ts';

/** A step that has begun. Its part is undefined until the step has something to say. */
type OpenStep = {
  type: string;
  part?: { index: number; kind: PartHead['kind'] } | undefined;
  /** The arguments that came with the beginning of a call. Pieces that follow replace them. */
  wholeInput?: string;
  /** A step that no other vendor understands, with what its deltas have added. */
  whole?: Fields;
};

/** The data of the frame after the last event. */
const DONE = '[DONE]';

/** Steps of the request, which some answers repeat. */
const ASKED: ReadonlySet<string> = new Set(['user_input', 'function_result']);

export class InteractionsStreamDecoder {
  #events: StreamEvent[] = [];
  readonly #steps = new Map<number, OpenStep>();
  #next = 0;
  #isEnded = false;
  #called = false;
  #counts: InteractionCounts = {};
  #status = '';

  read({ data }: Frame): StreamEvent[] {
    this.#events = [];
    if (this.#isEnded) return [];
    if (data === DONE) this.#finish(this.#status, {});
    else this.#take(parseObject(data), data);
    return this.#events;
  }

  #take(event: Fields, text: string): void {
    lookUp(this.#readers, textOf(event.event_type))?.(event, text);
  }

  readonly #readers: Readonly<Record<string, (event: Fields, text: string) => void>> = {
    'interaction.created': ({ interaction }) => this.#start(objectOf(interaction)),
    'interaction.status_update': ({ status, usage }) => {
      this.#status = textOf(status) ?? this.#status;
      this.#count(usage);
    },
    'step.start': ({ index, step }, text) => this.#begin(Number(index), objectOf(step), text),
    'step.delta': ({ index, delta, metadata }) => {
      this.#grow(Number(index), objectOf(delta));
      this.#count(objectOf(metadata).total_usage);
    },
    'step.stop': ({ index, usage }) => {
      this.#end(Number(index));
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
    this.#events.push({
      type: 'response-start',
      responseId: textOf(id) ?? '',
      model: textOf(model) ?? '',
    });
  }

  #begin(index: number, step: Fields, text: string): void {
    const type = textOf(step.type) ?? '';
    const open: OpenStep = { type };
    this.#steps.set(index, open);
    if (type === 'model_output') {
      for (const content of listOf(step.content)) this.#content(open, objectOf(content));
    } else if (type === 'thought') this.#thought(open, step);
    else if (type === 'function_call') this.#call(open, step, text);
    else if (!ASKED.has(type)) open.whole = step;
  }

  #grow(index: number, delta: Fields): void {
    const open = this.#steps.get(index);
    if (open === undefined || ASKED.has(open.type)) return;
    const { type, ...members } = delta;
    if (open.whole) open.whole = { ...open.whole, ...members };
    else if (type === 'thought_summary') this.#thought(open, { summary: [members['content']] });
    else if (type === 'thought_signature') this.#thought(open, members);
    else if (type === 'arguments_delta') this.#arguments(open, textOf(members['arguments']) ?? '');
    else if (type === 'text_annotation_delta') this.#cite(open, members['annotations']);
    else if (open.type === 'model_output') this.#content(open, delta);
  }

  /** Adds a content of the model's. Content other than text stays as it is. */
  #content(open: OpenStep, content: Fields): void {
    const text = textOf(content.text);
    if (content.type === 'text' && text !== undefined) {
      if (text === '') return;
      this.#continue(open, { kind: 'text' });
      this.#delta(open, { kind: 'text', text });
      this.#cite(open, content.annotations);
      return;
    }
    this.#close(open);
    this.#opaque({ type: 'model_output', content: [content] });
  }

  #cite(open: OpenStep, annotations: unknown): void {
    if (open.part?.kind !== 'text') return;
    for (const annotation of listOf(annotations))
      this.#delta(open, { kind: 'citation', citation: citationOf(objectOf(annotation)) });
  }

  #thought(open: OpenStep, { summary, signature }: Fields): void {
    const texts = listOf(summary).flatMap((item) => textOf(objectOf(item).text) ?? []);
    for (const text of texts.filter((text) => text !== '')) {
      this.#continue(open, { kind: 'thinking', form: 'summary' });
      this.#delta(open, { kind: 'thinking', text });
    }
    const data = textOf(signature);
    if (data === undefined || data === '') return;
    this.#continue(open, { kind: 'thinking', form: 'summary' });
    this.#delta(open, { kind: 'replay-token', replay: { issuer: 'interactions', data } });
  }

  #call(open: OpenStep, step: Fields, text: string): void {
    const callId = textOf(step.id) ?? '';
    const name = textOf(step.name) ?? '';
    this.#continue(open, { kind: 'tool-call', callId, name, inputKind: 'json' });
    open.wholeInput = argumentsText(text, step.arguments);
    this.#called = true;
  }

  #arguments(open: OpenStep, text: string): void {
    if (open.part?.kind !== 'tool-call') return;
    delete open.wholeInput;
    this.#delta(open, { kind: 'tool-input', text });
  }

  #end(index: number): void {
    const open = this.#steps.get(index);
    if (open === undefined) return;
    this.#steps.delete(index);
    if (open.whole) this.#opaque(open.whole);
    else this.#close(open);
  }

  #opaque(block: Fields): void {
    const index = this.#next++;
    this.#events.push(
      { type: 'part-start', index, part: { kind: 'opaque', issuer: 'interactions', block } },
      { type: 'part-end', index },
    );
  }

  #continue(open: OpenStep, part: PartHead): void {
    if (open.part) return;
    open.part = { index: this.#next++, kind: part.kind };
    this.#events.push({ type: 'part-start', index: open.part.index, part });
  }

  #delta({ part }: OpenStep, delta: PartDelta): void {
    this.#events.push({ type: 'part-delta', index: part!.index, delta });
  }

  #close(open: OpenStep): void {
    const { part, wholeInput } = open;
    if (part === undefined) return;
    if (wholeInput !== undefined) this.#delta(open, { kind: 'tool-input', text: wholeInput });
    open.part = undefined;
    this.#events.push({ type: 'part-end', index: part.index });
  }

  #count(usage: unknown): void {
    if (usage === undefined || usage === null) return;
    this.#counts = addCounts(this.#counts, usage);
    const reportedUsage = usageOf(this.#counts);
    if (reportedUsage) this.#events.push({ type: 'usage', usage: reportedUsage });
  }

  #finish(status: string, { errors }: Fields): void {
    if (!isEnd(status)) return; // the stream was cut
    for (const index of [...this.#steps.keys()]) this.#end(index);
    const end = stopOf(status, { errors: listOf(errors), hasCalled: this.#called });
    this.#isEnded = true;
    if ('refusal' in end) this.#fail(end.refusal);
    else this.#events.push({ type: 'response-end', stop: end.stop });
  }

  #fail(refusal: Refusal): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal });
  }
}
