import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';

type Node = Record<string, unknown> | unknown[];

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;

/**
 * Assembles arguments that arrive as values at paths (`$.recipe.steps[0]`).
 * Long strings arrive in several pieces.
 */
export class PartialArguments {
  /** No prototype, so that `__proto__` is an ordinary name. */
  readonly #root: Node = Object.create(null);

  add(pieces: unknown): void {
    for (const piece of listOf(pieces).map(objectOf)) {
      const path = stepsOf(textOf(piece.jsonPath) ?? '');
      const last = path.pop();
      if (last === undefined) continue;
      set(this.#parentOf([...path, last]), last, pieceValue(piece));
    }
  }

  toString(): string {
    return JSON.stringify(this.#root);
  }

  /** Returns the node that holds the path's last step. Missing nodes are created. */
  #parentOf(path: readonly (string | number)[]): Node {
    let node = this.#root;
    for (const [at, step] of path.slice(0, -1).entries()) {
      const child = get(node, step);
      const next = isNode(child) ? child : emptyNode(path[at + 1]!);
      if (next !== child) set(node, step, next);
      node = next;
    }
    return node;
  }
}

const isNode = (value: unknown): value is Node => Array.isArray(value) || isObject(value);
const emptyNode = (step: string | number): Node => (typeof step === 'number' ? [] : Object.create(null));
const get = (node: Node, step: string | number): unknown => (node as Record<string | number, unknown>)[step];

function set(node: Node, step: string | number, value: unknown): void {
  if (Array.isArray(node) && !(Number(step) <= node.length)) {
    throw new SyntaxError('an argument is too far beyond the end of its list');
  }
  const child = get(node, step);
  const joined = typeof child === 'string' && typeof value === 'string' ? child + value : value;
  (node as Record<string | number, unknown>)[step] = joined;
}

function stepsOf(path: string): (string | number)[] {
  return [...path.slice(path.startsWith('$') ? 1 : 0).matchAll(STEP)].map(
    ([, name, index, single, double]) =>
      index === undefined ? unescaped(name ?? single ?? double ?? '') : Number(index),
  );
}

const unescaped = (name: string): string => name.replace(/\\(.)/g, '$1');

function pieceValue({ stringValue, numberValue, boolValue }: Record<string, unknown>): unknown {
  return stringValue ?? numberValue ?? boolValue ?? null;
}
