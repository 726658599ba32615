type Methods = Record<string, unknown>;

/** Joins three parts of a store into one object. Each method runs on its own part, and an earlier part has precedence. */
export function joinParts<One extends object, Two extends object, Three extends object>(
  one: One,
  two: Two,
  three: Three,
): One & Two & Three {
  const joined: Methods = {};
  for (const part of [one, two, three]) for (const [name, method] of methodsOf(part)) joined[name] ??= method;
  return joined as One & Two & Three;
}

/** Methods of a class, and those of an object that was joined before. */
function* methodsOf(part: object): Generator<[name: string, method: unknown]> {
  for (const holder of [part, Object.getPrototypeOf(part) as object]) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (holder === Object.prototype || name === 'constructor') continue;
      const method = (part as Methods)[name];
      if (typeof method === 'function') yield [name, method.bind(part)];
    }
  }
}
