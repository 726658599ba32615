import { Refusal } from '../../base/errors/refusal.ts';
import { type Form, type FormFile, type FormPart, isFile, type SoundLength } from '../../base/forms/form.ts';
import { FormCollector } from '../../base/forms/form-collector.ts';
import { FormFault } from '../../base/forms/form-fault.ts';
import { FormParser } from '../../base/forms/form-parser.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import { formValue } from '../../base/forms/form-value.ts';
import { COPIES, DRAIN_BYTES, MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { formBody, type JsonBody } from '../../base/json/json-body.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { soundSeconds } from '../../translation/sound/sound-seconds.ts';
import { announcedLength } from '../http/announced-length.ts';
import type { BodyGate } from '../http/body-gate.ts';
import { brokenOff } from '../http/broken-off.ts';
import type { Exchange } from '../http/exchange.ts';
import { bookingOf, outOfMemory } from '../http/hold-memory.ts';
import { IncomingBody } from '../http/incoming-body.ts';
import { tooLate } from '../http/under-way.ts';
import { KeptUpload } from './kept-upload.ts';
import { UploadBooking } from './upload-booking.ts';
import type { UploadSpace } from './upload-space.ts';

/** The pieces that are under way to an upstream. */
const SENDING_BYTES = 256 * 1024;
/** The copies of the files in memory: their pieces, and the bytes that `KeptUpload` joins them to. */
const UPLOAD_COPIES = 2;

/** A request whose form is read. `limit` is the greatest length of its body. */
export type FormRequest = {
  exchange: Exchange;
  gate: BodyGate;
  space: UploadSpace;
  shape: FormShape;
  limit: number;
  boundary: string;
};

/** Reads one form: parses its chunks, keeps its files, and books memory as they arrive. */
export class FormReading {
  readonly #request: FormRequest;
  readonly #length: number | undefined;
  readonly #booking: UploadBooking;
  readonly #upload: KeptUpload;
  readonly #collector: FormCollector;
  readonly #parser: FormParser;
  #received = 0;
  #refusal: Refusal | undefined;

  constructor(request: FormRequest) {
    const { exchange, gate, space, boundary } = request;
    this.#request = request;
    this.#length = announcedLength(exchange.request.headers);
    this.#upload = new KeptUpload(space, exchange.accountId ?? '', this.#length);
    this.#booking = new UploadBooking(bookingOf(exchange, gate.budget), this.#upload);
    exchange.upload = this.#upload;
    this.#collector = new FormCollector(this.#upload);
    this.#parser = new FormParser(boundary, this.#collector);
  }

  async read(): Promise<JsonBody | Refusal> {
    try {
      return await this.#readBody();
    } catch (error) {
      return brokenOff(error);
    }
  }

  async #readBody(): Promise<JsonBody | Refusal> {
    const { exchange, gate, limit } = this.#request;
    const length = this.#length;
    if (length !== undefined && length > limit + DRAIN_BYTES) return tooLarge(limit);
    const { body } = exchange.request;
    if (body === null) return this.#finish();
    const incoming = new IncomingBody(body, gate.clock, Math.ceil((length ?? limit) / MAX_BODY_BYTES));
    if (length !== undefined && length > limit) return this.#drain(incoming, tooLarge(limit));
    const outcome = await incoming.each((chunk) => this.#take(chunk));
    if (outcome === 'late') return tooLate();
    return this.#refusal ? this.#drain(incoming, this.#refusal) : this.#finish();
  }

  /** Takes a chunk. Returns false if the form is refused. */
  #take(chunk: Uint8Array): MaybeLater<boolean> {
    this.#received += chunk.byteLength;
    if (this.#received > this.#request.limit) return this.#refuse(tooLarge(this.#request.limit));
    try {
      this.#parser.push(chunk);
    } catch (error) {
      return this.#refuse(refusalOf(error));
    }
    return andThen(this.#upload.flush(), (refusal) => (refusal ? this.#refuse(refusal) : this.#book()));
  }

  #refuse(refusal: Refusal): false {
    this.#refusal = refusal;
    return false;
  }

  #book(): MaybeLater<boolean> {
    return andThen(
      this.#booking.cover(this.#received),
      (isAdmitted) => isAdmitted || this.#refuse(outOfMemory()),
    );
  }

  /** Most clients write their whole body before they read, so a moderate rest is read and discarded. */
  async #drain(incoming: IncomingBody, refusal: Refusal): Promise<Refusal> {
    this.#upload.release();
    this.#booking.clear();
    const leave = this.#request.gate.drains.enter();
    const drained = leave ? await incoming.drain(this.#received + DRAIN_BYTES) : 'full';
    leave?.();
    if (drained === 'ended') return refusal;
    await incoming.cancel();
    return new Refusal(refusal.code, {
      ...refusal.details,
      headers: { ...refusal.details.headers, connection: 'close' },
    });
  }

  async #finish(): Promise<JsonBody | Refusal> {
    try {
      this.#parser.finish();
      const { parts } = this.#collector;
      const value = formValue(parts, this.#request.shape);
      const form: Form = { parts, content: this.#upload, sound: await this.#soundLength(parts) };
      const body = formBody(value, form);
      const filesBytes = this.#upload.heldBytes * UPLOAD_COPIES;
      this.#booking.keep(filesBytes + body.text.length * COPIES + SENDING_BYTES);
      return body;
    } catch (error) {
      return refusalOf(error);
    }
  }

  #soundLength(parts: readonly FormPart[]): MaybeLater<SoundLength | undefined> {
    const file = fileNamed(parts, this.#request.shape.sound);
    return file && soundSeconds(file, this.#upload);
  }
}

const tooLarge = (limit: number) =>
  new Refusal('body_too_large', { message: `The upload is larger than ${limit / MEGABYTE} MB.` });

const fileNamed = (parts: readonly FormPart[], name: string | undefined): FormFile | undefined =>
  name === undefined ? undefined : parts.filter(isFile).find((part) => part.name === name);

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof FormFault)) throw error;
  return new Refusal('invalid_request', { message: error.message, param: error.field });
}
