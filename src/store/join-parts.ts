type Methods = Record<string, unknown>;

type Joined<Parts extends readonly object[]> = Parts extends readonly [
  infer One,
  ...infer Rest extends object[],
]
  ? One & Joined<Rest>
  : unknown;

/**
 * Joins parts of a store into one object.
 * Each method runs on its own part, and an earlier part has precedence.
 */
export function joinParts<Parts extends readonly object[]>(...parts: Parts): Joined<Parts> {
  const joined: Methods = {};
  for (const part of parts) for (const [name, method] of methodsOf(part)) joined[name] ??= method;
  return joined as Joined<Parts>;
}

/**
 * Lists the methods of a class and of those that it extends, and those of an object that was joined before.
 */
function* methodsOf(part: object): Generator<[name: string, method: unknown]> {
  for (let holder = part; holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (name === 'constructor') continue;
      const method = (part as Methods)[name];
      if (typeof method === 'function') yield [name, method.bind(part)];
    }
  }
}
