import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { RawJson, stringifyWithRaw } from '../../canonical/raw-json.ts';

/** A step in progress. `arguments`: the text of its call's arguments so far. */
type Growing = { step: JsonObject; arguments: string };

/** Collects the steps of a stream, each as the sum of its events. */
export class StepsSoFar {
  readonly #done: string[] = [];
  readonly #open = new Map<number, Growing>();

  /** Adds an event. Returns the text of the step that it ends. */
  add({ event_type, index, step, delta }: JsonObject): string | undefined {
    const place = Number(index);
    if (event_type === 'step.start') this.#open.set(place, { step: { ...objectOf(step) }, arguments: '' });
    else if (event_type === 'step.delta') grow(this.#open.get(place), objectOf(delta));
    return event_type === 'step.stop' ? this.#end(place) : undefined;
  }

  /** The texts of the steps that are done. */
  get done(): readonly string[] {
    return this.#done;
  }

  /**
   * Returns the texts of all steps, those included that have not ended.
   * Calls that have not ended are left out.
   */
  all(): string[] {
    const open = [...this.#open.values()].filter(({ step }) => step.type !== 'function_call');
    return [...this.#done, ...open.map(({ step }) => stringifyWithRaw(step))];
  }

  #end(index: number): string | undefined {
    const growing = this.#open.get(index);
    if (growing === undefined) return undefined;
    this.#open.delete(index);
    const { step, arguments: written } = growing;
    const text = stringifyWithRaw(
      isJsonObject(written) ? { ...step, arguments: new RawJson(written) } : step,
    );
    this.#done.push(text);
    return text;
  }
}

function isJsonObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function grow(growing: Growing | undefined, { type, ...members }: JsonObject): void {
  if (growing === undefined) return;
  const { step } = growing;
  if (type === 'arguments_delta') growing.arguments += textOf(members.arguments) ?? '';
  else if (type === 'thought_summary') step.summary = added(step.summary, objectOf(members.content));
  else if (type === 'text_annotation_delta') annotate(step, listOf(members.annotations));
  else if (step.type === 'model_output') step.content = added(step.content, { type, ...members });
  else Object.assign(step, members);
}

/** Adds a content to a list. A text continues the text before it. */
function added(list: unknown, content: JsonObject): JsonObject[] {
  const contents = listOf(list).map(objectOf);
  const last = contents.at(-1);
  if (content.type !== 'text' || last?.['type'] !== 'text') return [...contents, content];
  return [...contents.slice(0, -1), { ...last, text: `${last.text}${content.text}` }];
}

function annotate(step: JsonObject, annotations: readonly unknown[]): void {
  const contents = listOf(step.content).map(objectOf);
  const last = contents.at(-1);
  if (last === undefined) return;
  last.annotations = [...listOf(last.annotations), ...annotations];
  step.content = contents;
}
