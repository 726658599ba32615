import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, numberIn, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { RawJson, stringifyWithRaw } from '../../canonical/raw-json.ts';

type StepInProgress = {
  step: JsonObject;
  /** The text of the call's arguments so far. */
  arguments: string;
};

/** Collects the steps of a stream, each as the sum of its events. */
export class StepsSoFar {
  readonly #done: string[] = [];
  readonly #open = new Map<number, StepInProgress>();

  /** Adds an event. Returns the text of the step that it ends. */
  add({ event_type, index: number, step, delta }: JsonObject): string | undefined {
    const index = numberIn(number);
    if (event_type === 'step.start') this.#open.set(index, { step: { ...objectOf(step) }, arguments: '' });
    else if (event_type === 'step.delta') addDelta(this.#open.get(index), objectOf(delta));
    return event_type === 'step.stop' ? this.#end(index) : undefined;
  }

  /** The texts of the steps that are done. */
  get done(): readonly string[] {
    return this.#done;
  }

  /** Returns the texts of all steps. Steps that have not ended are included, except function calls. */
  all(): string[] {
    const open = [...this.#open.values()].filter(({ step }) => step.type !== 'function_call');
    return [...this.#done, ...open.map(({ step }) => stringifyWithRaw(step))];
  }

  #end(index: number): string | undefined {
    const open = this.#open.get(index);
    if (open === undefined) return undefined;
    this.#open.delete(index);
    const { step, arguments: written } = open;
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

function addDelta(open: StepInProgress | undefined, { type, ...members }: JsonObject): void {
  if (open === undefined) return;
  const { step } = open;
  if (type === 'arguments_delta') open.arguments += textOf(members.arguments) ?? '';
  else if (type === 'thought_summary')
    step.summary = appendContent(listOf(step.summary), objectOf(members.content));
  else if (type === 'text_annotation_delta') addAnnotations(step, listOf(members.annotations));
  else if (step.type === 'model_output')
    step.content = appendContent(listOf(step.content), { type, ...members });
  else Object.assign(step, members);
}

/** Appends a content to a list. A text continues the text before it. */
function appendContent(list: readonly unknown[], content: JsonObject): unknown[] {
  const last = objectOf(list.at(-1));
  if (content.type !== 'text' || last.type !== 'text') return [...list, content];
  return [...list.slice(0, -1), { ...last, text: (textOf(last.text) ?? '') + (textOf(content.text) ?? '') }];
}

function addAnnotations(step: JsonObject, annotations: readonly unknown[]): void {
  const contents = listOf(step.content).map(objectOf);
  const last = contents.at(-1);
  if (last === undefined) return;
  last.annotations = [...listOf(last.annotations), ...annotations];
  step.content = contents;
}
