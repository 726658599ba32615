import { textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/**
 * Collects a block that has no canonical form.
 * Its pieces are joined, so that a later request can return it whole.
 */
export class OpaqueBlock {
  readonly #block: Fields;
  #input = '';

  constructor(block: Fields) {
    this.#block = { ...block };
  }

  add(delta: Fields): void {
    const { type, ...fields } = delta;
    if (type === 'input_json_delta') this.#input += textOf(delta.partial_json) ?? '';
    else Object.assign(this.#block, fields);
  }

  whole(): Fields {
    return this.#input === '' ? this.#block : { ...this.#block, input: parseOrKeep(this.#input) };
  }
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
