import { Refusal } from '../../../base/errors/refusal.ts';
import { type JsonBody, knownBody } from '../../../base/json/json-body.ts';
import { isObject } from '../../../base/lib/is-object.ts';

/** Members whose value is the client's own, so that names inside it stay. */
// biome-ignore format: a line for each group
const CLIENT_VALUES: ReadonlySet<string> = new Set([
  'args', 'response', 'parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema',
  'labels', 'partMetadata', 'fileSearch', 'mcpServers',
]);

/** Members that are lists. The vendor accepts a single element in place of each. */
const LISTS: ReadonlySet<string> = new Set(['contents', 'parts', 'tools', 'functionDeclarations']);

const SNAKE = /(?<=[a-z0-9])_([a-z0-9])/g;

/**
 * Returns the body in the form that the rest of the protocol reads: names in camel case, lists as lists, and
 * one kind of tool in each element of `tools`. The vendor accepts other spellings too.
 * A body in this form is returned as it is.
 */
export function normalBody(body: JsonBody): JsonBody {
  const value = normalize(body.value, '');
  if (value === body.value) return body;
  const exact: unknown = JSON.parse(body.text, keepDigits);
  return knownBody(JSON.stringify(normalize(exact, '')), value as JsonBody['value']);
}

type Source = { source?: string };
/** A newer function of JSON, which TypeScript's types do not have. */
type RawNumber = { rawJSON?: (text: string) => unknown };

/** Keeps numbers that parsing would round. */
function keepDigits(this: unknown, _name: string, value: unknown, context?: Source): unknown {
  const { source } = context ?? {};
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
  return (JSON as RawNumber).rawJSON?.(source) ?? value;
}

function normalize(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return name === 'tools' ? normalTools(value) : normalList(value);
  if (!isObject(value)) return value;
  const plain = normalMembers(value);
  return LISTS.has(name) ? normalize([plain], name) : plain;
}

function normalList(list: readonly unknown[]): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, element] of list.entries()) {
    const plain = normalize(element, '');
    if (plain === element) continue;
    changed ??= [...list];
    changed[index] = plain;
  }
  return changed ?? list;
}

function normalMembers(members: Record<string, unknown>): Record<string, unknown> {
  let hasChanged = false;
  const plain: Record<string, unknown> = {};
  for (const name in members) {
    const camel = camelCase(name);
    const value = members[name];
    if (Object.hasOwn(plain, camel)) refuseSpellings(camel);
    const inner = CLIENT_VALUES.has(camel) ? value : normalize(value, camel);
    hasChanged ||= camel !== name || inner !== value;
    // An assignment to `__proto__` would not make a member.
    Object.defineProperty(plain, camel, {
      value: inner,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return hasChanged ? plain : members;
}

/** The vendor would use only one of the two values, and it is not known which. */
function refuseSpellings(name: string): never {
  throw new Refusal('invalid_request', {
    param: name,
    message: `${name} is given twice, in different spellings.`,
  });
}

/** Gives each kind of tool an element of its own, so that one of them can be removed. */
function normalTools(list: readonly unknown[]): readonly unknown[] {
  const plain = normalList(list);
  if (plain.every((tool) => !isObject(tool) || Object.keys(tool).length <= 1)) return plain;
  return plain.flatMap((tool) =>
    isObject(tool) ? Object.entries(tool).map(([name, value]) => ({ [name]: value })) : [tool],
  );
}

const camelCase = (name: string): string =>
  name.includes('_') ? name.replace(SNAKE, (_, letter: string) => letter.toUpperCase()) : name;
