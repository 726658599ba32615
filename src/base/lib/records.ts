/** Returns the names of the members. `T` must list all of them. */
export const keysOf = <T extends object>(record: T): (keyof T & string)[] =>
  Object.keys(record) as (keyof T & string)[];

/** A name of a member with its value. */
type Entry<T extends object> = { [K in keyof T & string]-?: [K, Exclude<T[K], undefined>] }[keyof T & string];

/** Returns the members with their names. `T` must list all of them. */
export const entriesOf = <T extends object>(record: T): Entry<T>[] => Object.entries(record) as Entry<T>[];

/** Returns an object with a value for each name. */
export const recordOf = <K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;

/** Returns an object with the same names and other values. */
export const mapValues = <K extends string, T, V>(
  record: Readonly<Record<K, T>>,
  make: (value: T, name: K) => V,
): Record<K, V> => recordOf(keysOf(record), (name) => make(record[name], name));

/** Returns an object with each item under its name. */
export const recordBy = <K extends string, T>(items: readonly T[], nameOf: (item: T) => K): Record<K, T> =>
  Object.fromEntries(items.map((item) => [nameOf(item), item])) as Record<K, T>;

/** Returns an object with the named members alone. */
export const pick = <T extends object, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;

/** Returns the members that are not undefined. */
export const definedOf = <T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/**
 * Returns the member that a word from outside names. Such a word can also be a name of the prototype, for
 * example `constructor`, which is not a member.
 */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
