import type { Path } from '../schema/format-path.ts';
import { type JsonBody, knownBody } from './json-body.ts';
import { patchPart } from './patch-json.ts';
import { objectOf } from './read-json.ts';
import { scanJson } from './scan-json.ts';
import { elementPlaces } from './slice-json.ts';

type Members = Readonly<Record<string, number | string>>;

/** Returns the body with members set in the object at `path`. All other bytes stay as they were sent. */
export const setMembers = (body: JsonBody, path: Path, members: Members): JsonBody =>
  knownBody(setText(body.text, path, members), objectOf(setValue(body.value, path, members)));

function setValue(value: unknown, [step, ...rest]: Path, members: Members): unknown {
  if (step === undefined) return { ...objectOf(value), ...members };
  if (Array.isArray(value)) return value.with(Number(step), setValue(value[Number(step)], rest, members));
  const object = objectOf(value);
  return { ...object, [step]: setValue(object[step], rest, members) };
}

function setText(text: string, [step, ...rest]: Path, members: Members): string {
  if (step === undefined) return patchPart(text, textsOf(members));
  const place = typeof step === 'number' ? elementPlaces(text)[step] : memberPlace(text, step);
  if (place === undefined) return JSON.stringify(setValue(JSON.parse(text), [step, ...rest], members));
  const { start, end } = place;
  return text.slice(0, start) + setText(text.slice(start, end), rest, members) + text.slice(end);
}

function memberPlace(text: string, name: string) {
  const scanned = scanJson(text);
  return scanned instanceof Map ? scanned.get(name) : undefined;
}

const textsOf = (members: Members): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));
