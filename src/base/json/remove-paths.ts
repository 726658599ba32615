import { withoutParts } from '../forms/form.ts';
import type { Path } from '../schema/format-path.ts';
import { formBody, type JsonBody, type JsonObject, knownBody } from './json-body.ts';
import { patchJson } from './patch-json.ts';
import { objectOf } from './read-json.ts';
import { scanJson } from './scan-json.ts';
import { elementPlaces } from './slice-json.ts';

/** The members to remove at each step. Undefined removes the value itself. */
type Cut = Map<string | number, Cut | undefined>;

/**
 * Each level reads the text within it again. Values below this level are written anew. No vendor nests so
 * deep.
 */
const MAX_LEVELS = 16;

/**
 * Returns the body without the values at `paths`. All other bytes stay as they were sent. A form loses whole
 * parts.
 */
export function removePaths(body: JsonBody, paths: readonly Path[]): JsonBody {
  if (body.form) {
    const names = new Set(paths.map(([name]) => name));
    const kept = Object.entries(body.value).filter(([name]) => !names.has(name));
    return formBody(Object.fromEntries(kept), withoutParts(body.form, names));
  }
  const cut: Cut = new Map();
  for (const path of paths) addPath(cut, path);
  return knownBody(cutText(body.text, body.value, { cut, level: 1 }), cutObject(body.value, cut));
}

function addPath(cut: Cut, path: Path): void {
  let current: Cut = cut;
  for (const step of path.slice(0, -1)) {
    if (current.has(step) && current.get(step) === undefined) return; // a shorter path removes it all
    const next: Cut = current.get(step) ?? new Map();
    current.set(step, next);
    current = next;
  }
  current.set(path.at(-1)!, undefined);
}

function cutValue(value: unknown, cut: Cut): unknown {
  if (!Array.isArray(value)) return cutObject(objectOf(value), cut);
  return value.flatMap((element, index) => {
    if (!cut.has(index)) return [element];
    const inner = cut.get(index);
    return inner ? [cutValue(element, inner)] : [];
  });
}

function cutObject(value: JsonObject, cut: Cut): JsonObject {
  const copy = { ...value };
  for (const [step, inner] of cut) {
    if (inner) copy[step] = cutValue(copy[step], inner);
    else delete copy[step];
  }
  return copy;
}

/** A cut, and the number of levels down to it. */
type Level = { cut: Cut; level: number };

function cutText(text: string, value: unknown, { cut, level }: Level): string {
  if (level > MAX_LEVELS) return JSON.stringify(cutValue(value, cut));
  if (Array.isArray(value)) return cutList(text, value, { cut, level });
  const members = scanJson(text);
  // A name can occur twice below the top level; its last value counts.
  if (!(members instanceof Map)) return JSON.stringify(cutValue(value, cut));
  // The client chose the names, and `__proto__` must not set the prototype.
  const patch: Record<string, string | null> = Object.create(null);
  for (const [step, inner] of cut) {
    const { start, end } = members.get(String(step))!;
    patch[step] = inner
      ? cutText(text.slice(start, end), objectOf(value)[step], { cut: inner, level: level + 1 })
      : null;
  }
  return patchJson(text, members, patch);
}

function cutList(text: string, list: readonly unknown[], { cut, level }: Level): string {
  const places = elementPlaces(text);
  let result = text.slice(0, places[0]!.start);
  let isFirst = true;
  for (const [index, { start, end }] of places.entries()) {
    const inner = cut.get(index);
    if (cut.has(index) && inner === undefined) continue;
    // Between two kept elements, copies the text before the second one: its comma and the sender's
    // whitespace.
    if (!isFirst) result += text.slice(places[index - 1]!.end, start);
    const kept = text.slice(start, end);
    result += inner ? cutText(kept, list[index], { cut: inner, level: level + 1 }) : kept;
    isFirst = false;
  }
  return result + text.slice(places.at(-1)!.end);
}
