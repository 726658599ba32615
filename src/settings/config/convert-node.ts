import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Environment } from '../../base/lib/environment.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { interpolate } from './interpolate.ts';
import { showPlaceholders } from './placeholder.ts';
import { readPlainScalar } from './read-plain-scalar.ts';
import { keyName, offsetOf, type YamlPath } from './yaml-places.ts';

/** Without an offset, the problem is located by its path. */
export type PlacedProblem = { path: YamlPath; message: string; offset?: number };

type Conversion = {
  value: unknown;
  problems: PlacedProblem[];
  interpolated: Map<string, string>;
};

/** `environment` fills in placeholders. `null` means that they are plain text. */
type Surroundings = { document: Document; environment: Environment | null };

/** The node limit. It exceeds every real file and bounds the cost of an alias bomb. */
const MAX_NODES = 500_000;
/** The depth limit. It exceeds the depth of every schema. */
const MAX_DEPTH = 64;

class Converter {
  readonly problems: PlacedProblem[] = [];
  readonly interpolated = new Map<string, string>();
  readonly #around: Surroundings;
  readonly #path: (string | number)[] = [];
  readonly #targets = new Map<Alias, unknown>();
  /** The mappings and lists whose conversion is in progress. */
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  convert(node: unknown): unknown {
    this.#nodes++;
    if (this.#nodes > MAX_NODES || this.#path.length > MAX_DEPTH) {
      if (this.problems.length === 0) this.#report(node, 'is nested too deep or repeats too many aliases');
      return null;
    }
    if (isAlias(node)) return this.#alias(node);
    if (isScalar(node)) return this.#scalar(node);
    this.#open.add(node);
    const value = this.#collection(node);
    this.#open.delete(node);
    return value;
  }

  #collection(node: unknown): unknown {
    if (isMap(node)) return this.#map(node);
    return isSeq(node) ? this.#list(node) : null;
  }

  #alias(alias: Alias): unknown {
    // The values are cached, since resolving an alias walks the whole document.
    const target = this.#targets.get(alias) ?? alias.resolve(this.#around.document);
    this.#targets.set(alias, target);
    if (target && !this.#open.has(target)) return this.convert(target);
    const fault = target ? 'its own ancestor' : 'an anchor that is not defined before it';
    this.#report(alias, `is an alias of ${fault}`);
    return null;
  }

  #map(map: YAMLMap): unknown {
    const entries: [string, unknown][] = [];
    for (const { key, value } of map.items) {
      const name = keyName(key);
      if (name === undefined) this.#report(key, 'has a key that is not plain text');
      else entries.push([name, this.#at(name, value)]);
    }
    return Object.fromEntries(entries);
  }

  #list(list: YAMLSeq): unknown {
    return list.items.map((item, index) => this.#at(index, item));
  }

  #at(step: string | number, node: unknown): unknown {
    this.#path.push(step);
    const value = this.convert(node);
    this.#path.pop();
    return value;
  }

  #scalar(scalar: Scalar): unknown {
    if (typeof scalar.value !== 'string') return scalar.value;
    const source = showPlaceholders(scalar.value);
    const { environment } = this.#around;
    if (environment === null || !source.includes('${')) return source;
    const { text, isChanged, isWhole, problems } = interpolate(source, environment);
    for (const message of problems) this.problems.push({ path: [...this.#path], message });
    if (isChanged) this.interpolated.set(formatPath(this.#path), text);
    return isWhole && scalar.type === 'PLAIN' ? readPlainScalar(text) : text;
  }

  #report(node: unknown, message: string): void {
    this.problems.push({ path: [...this.#path], message, offset: offsetOf(node) });
  }
}

/** Converts a parsed file to plain values and fills in its placeholders. */
export function convertNode(root: unknown, around: Surroundings): Conversion {
  const converter = new Converter(around);
  const value = converter.convert(root);
  return { value, problems: converter.problems, interpolated: converter.interpolated };
}
