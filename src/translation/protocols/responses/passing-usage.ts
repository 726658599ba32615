import type { JsonObject } from '../../../base/json/json-body.ts';
import { textOf } from '../../../base/json/read-json.ts';
import { answerTextIn } from '../../canonical/answer-text-in.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { estimateUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { Estimator } from '../../canonical/estimator.ts';
import { laterUsage, type Usage } from '../../canonical/usage.ts';
import { usageOfResponse } from './usage.ts';

/** Collects what a passing stream reports of its usage, and the text by which the rest is estimated. */
export class PassingUsage {
  readonly #estimate: Estimator;
  readonly answerText: CountedText;
  #reported: Usage | undefined;

  constructor(estimate: Estimator) {
    this.#estimate = estimate;
    this.answerText = new CountedText(estimate);
  }

  /** Counts the part of the answer that an event has. */
  count(type: string, { delta, item }: JsonObject): void {
    if (type.endsWith('.delta')) this.answerText.add(textOf(delta) ?? '');
    if (type === 'response.output_item.done') this.answerText.addPart(item);
  }

  /** Returns the usage that the stream has reported up to and including this response object. */
  report(response: JsonObject): Usage | undefined {
    const usage = usageOfResponse(response);
    if (usage) this.#reported = laterUsage(this.#reported, usage);
    return this.#reported;
  }

  /** Returns the usage of the whole answer. `output`: the output of the last event. */
  ofWhole(output: unknown): Usage {
    const estimate = this.#estimate;
    const reported = this.#reported;
    const usage = usageOfWhole(reported, output, estimate);
    if (!usage.isEstimated) return usage;
    // Hosts that stream no deltas put the whole output in the last event. Others omit it there.
    const listed = answerTextIn(output, new CountedText(estimate));
    const answerText = listed.length > this.answerText.length ? listed : this.answerText;
    return estimateUsage({ reported, answerText, isWhole: true, estimate });
  }
}
