import { isObject } from '../../base/lib/is-object.ts';
import { BadInput } from './bad-input.ts';

type Range = { min?: number; max?: number; whole?: boolean };

/** A value in a request body with its path, so that a refusal can name the field. */
export class Field {
  constructor(
    readonly value: unknown,
    readonly path = '',
  ) {}

  get present(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  at(name: string): Field {
    const value = isObject(this.value) ? this.value[name] : undefined;
    return new Field(value, this.path ? `${this.path}.${name}` : name);
  }

  /** Returns the field under the first name that is present, else under the first name. */
  either(...names: string[]): Field {
    return this.at(names.find((name) => this.at(name).present) ?? names[0]!);
  }

  fail(problem: string): never {
    throw new BadInput(`${this.path || 'body'}: ${problem}`, this.path || null);
  }

  isText(): boolean {
    return typeof this.value === 'string';
  }

  isList(): boolean {
    return Array.isArray(this.value);
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('expected a string');
  }

  optionalText(): string | undefined {
    return this.present ? this.text() : undefined;
  }

  /** Returns the elements of a list. An absent list counts as empty. */
  items(): Field[] {
    if (!this.present) return [];
    if (!Array.isArray(this.value)) return this.fail('expected an array');
    return this.value.map((value, index) => new Field(value, `${this.path}[${index}]`));
  }

  someItems(): Field[] {
    const items = this.items();
    return items.length > 0 ? items : this.fail('expected at least one element');
  }

  record(): Record<string, unknown> {
    return isObject(this.value) ? this.value : this.fail('expected an object');
  }

  flag(): boolean {
    if (!this.present) return false;
    return typeof this.value === 'boolean' ? this.value : this.fail('expected a boolean');
  }

  number({ min = -Infinity, max = Infinity, whole = true }: Range = {}): number | undefined {
    if (!this.present) return undefined;
    const { value } = this;
    if (typeof value !== 'number' || (whole && !Number.isInteger(value))) {
      return this.fail(whole ? 'expected an integer' : 'expected a number');
    }
    if (value < min) this.fail(`must be greater than or equal to ${min}`);
    if (value > max) this.fail(`must be less than or equal to ${max}`);
    return value;
  }

  oneOf<Name extends string>(names: readonly Name[]): Name {
    const found = names.find((name) => name === this.value);
    return found ?? this.fail(`expected one of ${names.join(', ')}`);
  }
}
