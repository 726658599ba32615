import { textOf } from '../../../base/json/read-json.ts';

type Fields = Record<string, unknown>;

/** A block without a meaning here. It is made whole from its pieces, so that it can go back as if it had come in one. */
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
    return this.#input === '' ? this.#block : { ...this.#block, input: parsed(this.#input) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
