import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { type JsonPatch, patchText } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { estimateUsage } from '../../canonical/estimate-usage.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { DONE } from '../../framing/done.ts';
import { eventName } from '../../framing/event-name.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { jsonString } from '../../framing/json-string.ts';
import { type ReportedCounts, usageOf } from '../google/reported-counts.ts';
import { addCounts } from './add-counts.ts';
import { addDelta, addStep } from './interaction-answer-text.ts';
import { InteractionEvents } from './interaction-events.ts';
import {
  checkEnd,
  finishInteraction,
  keptAnswer,
  namesPatch,
  type PassingTerms,
  sealedToken,
} from './passed-interaction.ts';
import { refusalOf } from './refusal-of.ts';
import { StepsSoFar } from './steps-so-far.ts';

/** Reads a stream of interactions for a client that speaks the same protocol. */
export class InteractionsFrameReader implements FrameReader {
  readonly #terms: PassingTerms;
  readonly #events = new InteractionEvents();
  readonly #steps = new StepsSoFar();
  readonly answerText: CountedText;
  #begun = false;
  #counts: ReportedCounts = {};
  /** The number of frames that wait for the settlement. A failure replaces them. */
  #held = 0;

  constructor(terms: PassingTerms) {
    this.#terms = terms;
    this.answerText = new CountedText(terms.label.estimate);
  }

  read({ data: sent }: Frame): FrameMeaning {
    if (sent === DONE) return { text: '', begins: this.#begun, closes: false };
    const event = parseObject(sent);
    const type = eventName(textOf(event.event_type) ?? '');
    if (type === 'error') throw new RefusedAnswer(refusalOf(event.error));
    const data = asOneLine(sent);
    if (type === 'interaction.completed') return this.#finish(data, objectOf(event.interaction));
    this.#begun ||= type.startsWith('step.');
    const usage = this.#count(event);
    this.#steps.add(event);
    if (type === 'step.start') addStep(this.answerText, event.step);
    if (type === 'step.delta') addDelta(this.answerText, event.delta);
    return {
      text: formatFrame(this.#events.patched(type, data, this.#patchOf(type, event, data))),
      begins: this.#begun,
      closes: false,
      ...(usage && { usage }),
    };
  }

  /** Ends the stream with an error event. */
  fail(refusal: Refusal): string {
    const frame = this.#events.error(refusal, this.#held);
    this.#held = 0;
    return formatFrame(frame);
  }

  #patchOf(type: string, event: JsonObject, data: string): JsonPatch {
    const { label } = this.#terms;
    if (type === 'interaction.created') {
      const text = sliceJson(data, ['interaction']) ?? '{}';
      return { interaction: patchText(text, namesPatch(this.#terms)) };
    }
    if (type !== 'interaction.status_update') return {};
    return {
      interaction_id: jsonString(label.id),
      continuation_token: sealedToken(event.continuation_token, this.#terms),
    };
  }

  /** Counts the usage that an event reports. Returns undefined if it reports none. */
  #count({ usage, metadata }: JsonObject): Usage | undefined {
    const reported = usage ?? objectOf(metadata).total_usage;
    if (reported == null) return undefined;
    this.#counts = addCounts(this.#counts, reported);
    return usageOf(this.#counts);
  }

  #finish(data: string, interaction: JsonObject): FrameMeaning {
    checkEnd(interaction);
    this.#count(interaction);
    const { estimate } = this.#terms.label;
    const reported = usageOf(this.#counts, interaction.service_tier);
    const usage = estimateUsage({ reported, answerText: this.answerText, isWhole: true, estimate });
    const text = sliceJson(data, ['interaction']) ?? '{}';
    const answer = finishInteraction({ text, interaction, steps: this.#steps.done, usage }, this.#terms);
    const frames = this.#events.finish(answer.envelope);
    this.#held = frames.length;
    return {
      text: frames.map(formatFrame).join(''),
      begins: true,
      closes: true,
      ends: true,
      usage,
      ...keptAnswer(answer, this.#terms),
    };
  }
}
