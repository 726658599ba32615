import { MEGABYTE } from '../lib/units.ts';
import type { FormPart, FormText } from './form.ts';
import { FormFault } from './form-fault.ts';
import type { FormSink } from './form-parser.ts';
import type { FormPartHead } from './read-part-head.ts';

const MAX_PARTS = 128;
/** All texts of a form together. */
const MAX_TEXT_BYTES = MEGABYTE;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NO_HEAD: FormPartHead = { name: '', filename: undefined, type: undefined };

/** Receives the bytes of files. */
export type FileBytes = { readonly byteLength: number; add(bytes: Uint8Array): void };

/** Collects the parts of a form: texts in memory, files in the order of their arrival in `files`. */
export class FormCollector implements FormSink {
  readonly parts: FormPart[] = [];
  readonly #files: FileBytes;
  /** The head of the part that arrives. */
  #head = NO_HEAD;
  /** The parts that have begun. Empty files without a name are among them. */
  #begun = 0;
  /** The place in `files` at which the part's bytes begin. */
  #fileStart = 0;
  /** The pieces of the text that arrives. */
  #text: Buffer[] = [];
  /** The bytes of all texts of the form. */
  #textBytes = 0;

  constructor(files: FileBytes) {
    this.#files = files;
  }

  begin(head: FormPartHead): void {
    if (++this.#begun > MAX_PARTS) throw new FormFault(`The form has more than ${MAX_PARTS} parts.`);
    this.#head = head;
    this.#fileStart = this.#files.byteLength;
  }

  data(bytes: Uint8Array): void {
    if (this.#head.filename !== undefined) {
      this.#files.add(bytes);
      return;
    }
    this.#textBytes += bytes.byteLength;
    if (this.#textBytes > MAX_TEXT_BYTES)
      throw new FormFault(
        `The texts of the form are longer than ${MAX_TEXT_BYTES / MEGABYTE} MB.`,
        this.#head.name,
      );
    this.#text.push(Buffer.from(bytes));
  }

  end(): void {
    const { name, filename, type } = this.#head;
    if (filename === undefined) this.parts.push({ name, type, text: this.#takeText(name) });
    else {
      const byteLength = this.#files.byteLength - this.#fileStart;
      // A browser sends an empty file without a name where none was chosen.
      if (filename !== '' || byteLength > 0)
        this.parts.push({ name, filename, type, at: this.#fileStart, byteLength });
    }
  }

  #takeText(name: FormText['name']): string {
    const bytes = Buffer.concat(this.#text);
    this.#text = [];
    try {
      return utf8.decode(bytes);
    } catch {
      throw new FormFault(`The field ${name} is not valid UTF-8.`, name);
    }
  }
}
