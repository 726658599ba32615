import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** A name of a member, or the index of an element. */
type Step = string | number;
/** An object or a list, which TypeScript does not let one type index. */
type Container = Record<Step, unknown>;

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;

/**
 * Assembles arguments that arrive as values at paths (`$.recipe.steps[0]`).
 * Long strings arrive in several pieces.
 */
export class PartialArguments {
  readonly #root = emptyObject();

  add(pieces: unknown): void {
    for (const piece of listOf(pieces).map(objectOf)) {
      const path = stepsOf(textOf(piece.jsonPath) ?? '');
      const last = path.at(-1);
      if (last !== undefined) set(this.#parentOf(path), last, valueIn(piece));
    }
  }

  toString(): string {
    return JSON.stringify(this.#root);
  }

  /** Returns the container of the path's last step. Missing containers are created. */
  #parentOf(path: readonly Step[]): Container {
    let container = this.#root;
    for (const [index, step] of path.slice(1).entries()) container = childOf(container, path[index]!, step);
    return container;
  }
}

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isObject(value);

/** Returns an object without a prototype, so that `__proto__` is an ordinary name. */
const emptyObject = (): Container => Object.create(null);

const emptyContainer = (step: Step): Container =>
  typeof step === 'number' ? ([] as unknown as Container) : emptyObject();

/** Returns the container at a step, or creates the one that the next step needs. */
function childOf(container: Container, step: Step, nextStep: Step): Container {
  const child = container[step];
  if (isContainer(child)) return child;
  const created = emptyContainer(nextStep);
  set(container, step, created);
  return created;
}

/** Sets a value. A text continues a text at the same place. */
function set(container: Container, step: Step, value: unknown): void {
  if (Array.isArray(container) && !(Number(step) <= container.length)) {
    throw new SyntaxError('an argument is too far beyond the end of its list');
  }
  const earlier = container[step];
  container[step] = typeof earlier === 'string' && typeof value === 'string' ? earlier + value : value;
}

function stepsOf(path: string): Step[] {
  return [...path.slice(path.startsWith('$') ? 1 : 0).matchAll(STEP)].map(
    ([, name, index, single, double]) =>
      index === undefined ? withoutEscapes(name ?? single ?? double ?? '') : Number(index),
  );
}

const withoutEscapes = (name: string): string => name.replace(/\\(.)/g, '$1');

const valueIn = ({ stringValue, numberValue, boolValue }: Fields): unknown =>
  stringValue ?? numberValue ?? boolValue ?? null;
