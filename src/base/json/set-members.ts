import type { Path } from '../schema/format-path.ts';
import { type JsonBody, type JsonObject, knownBody } from './json-body.ts';
import { patchPart } from './patch-json.ts';
import { objectOf } from './read-json.ts';
import { scanJson } from './scan-json.ts';
import { elementPlaces } from './slice-json.ts';

type Members = Readonly<Record<string, number | string>>;

/** Members to set in the object at `path`. */
export type MemberEdit = { path: Path; members: Members };

/** Returns the body with members set in the object at `path`. All other bytes stay as they were sent. */
export const setMembers = (body: JsonBody, path: Path, members: Members): JsonBody =>
  setAllMembers(body, [{ path, members }]);

/** Sets members in several objects. The text is read once, however many there are. */
export function setAllMembers(body: JsonBody, edits: readonly MemberEdit[]): JsonBody {
  const tree = treeOf(edits);
  return knownBody(setText(body.text, tree), objectOf(setValue(body.value, tree)));
}

/** The edits of a value: the members of the value itself, and the edits at each step below it. */
type EditTree = { members: Members; steps: Map<string | number, EditTree> };

const emptyTree = (): EditTree => ({ members: {}, steps: new Map() });

function treeOf(edits: readonly MemberEdit[]): EditTree {
  const root = emptyTree();
  for (const { path, members } of edits) {
    let tree = root;
    for (const step of path) tree = tree.steps.getOrInsertComputed(step, emptyTree);
    tree.members = { ...tree.members, ...members };
  }
  return root;
}

function setValue(value: unknown, { members, steps }: EditTree): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    for (const [step, tree] of steps) list[Number(step)] = setValue(list[Number(step)], tree);
    return list;
  }
  const object: JsonObject = { ...objectOf(value) };
  for (const [step, tree] of steps) object[step] = setValue(object[step], tree);
  return Object.assign(object, members);
}

function setText(text: string, { members, steps }: EditTree): string {
  const withSteps = steps.size === 0 ? text : setSteps(text, steps);
  return Object.keys(members).length === 0 && steps.size > 0
    ? withSteps
    : patchPart(withSteps, textsOf(members));
}

function setSteps(text: string, steps: EditTree['steps']): string {
  const places = placesOf(text, steps);
  if (places === undefined) return JSON.stringify(setValue(JSON.parse(text), { members: {}, steps }));
  let result = '';
  let copied = 0;
  for (const { start, end, tree } of places) {
    result += text.slice(copied, start) + setText(text.slice(start, end), tree);
    copied = end;
  }
  return result + text.slice(copied);
}

type EditedPlace = { start: number; end: number; tree: EditTree };

/** Returns the places of the steps in the order of the text, or undefined if one of them is not there. */
function placesOf(text: string, steps: EditTree['steps']): EditedPlace[] | undefined {
  const isList = steps.keys().some((step) => typeof step === 'number');
  const elements = isList ? elementPlaces(text) : [];
  const scanned = isList ? undefined : scanJson(text);
  const members = scanned instanceof Map ? scanned : undefined;
  const places: EditedPlace[] = [];
  for (const [step, tree] of steps) {
    const place = typeof step === 'number' ? elements[step] : members?.get(step);
    if (place === undefined) return undefined;
    places.push({ start: place.start, end: place.end, tree });
  }
  return places.sort((one, other) => one.start - other.start);
}

const textsOf = (members: Members): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
