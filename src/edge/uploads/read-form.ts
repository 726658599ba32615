import { Refusal } from '../../base/errors/refusal.ts';
import { boundaryOf, isFormType } from '../../base/forms/boundary-of.ts';
import { type Form, type FormFile, type FormPart, isFile, type SoundLength } from '../../base/forms/form.ts';
import { FormCollector } from '../../base/forms/form-collector.ts';
import { FormFault } from '../../base/forms/form-fault.ts';
import { FormParser } from '../../base/forms/form-parser.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import { formValue } from '../../base/forms/form-value.ts';
import {
  COPIES,
  DRAIN_BYTES,
  MAX_BODY_BYTES,
  UNCOUNTED_BODY_BYTES,
  UNREAD_BYTES,
} from '../../base/json/body-sizes.ts';
import { formBody, type JsonBody } from '../../base/json/json-body.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import type { Booking } from '../../base/memory/booking.ts';
import { soundSeconds } from '../../translation/sound/sound-seconds.ts';
import { announcedLength } from '../http/announced-length.ts';
import type { BodyGate } from '../http/body-gate.ts';
import { brokenOff } from '../http/broken-off.ts';
import type { Exchange } from '../http/exchange.ts';
import { bookingOf, outOfMemory } from '../http/hold-memory.ts';
import { IncomingBody } from '../http/incoming-body.ts';
import type { BodyReader } from '../http/read-body.ts';
import { tooLate } from '../http/under-way.ts';
import { KeptUpload } from './kept-upload.ts';
import type { UploadSpace } from './upload-space.ts';

export type FormReader = (exchange: Exchange, shape: FormShape) => MaybeLater<JsonBody | Refusal>;

/** The step in which memory is booked: the most that the runtime buffers. */
const STEP_BYTES = UNREAD_BYTES;
/** The pieces that are under way to an upstream. */
const SENDING_BYTES = 256 * 1024;

export type FormReaderParts = { gate: BodyGate; space: UploadSpace; readJson: BodyReader };

/** Creates the reader of forms with files. Files beyond a megabyte go to the disk while they arrive. */
export const createFormReader =
  ({ gate, space, readJson }: FormReaderParts): FormReader =>
  async (exchange, shape) => {
    const limit = exchange.snapshot.config.limits.max_upload_mb * MEGABYTE;
    if (!isFormType(exchange.request.headers.get('content-type')))
      return shape.orJson ? readJson(exchange) : refuseOther(await readJson(exchange));
    const refused = refuseHead(exchange);
    if (refused) return refused;
    return new FormReading({ exchange, gate, space, shape, limit }).read();
  };

/** Other bodies have the limit of JSON, even where they are not taken. */
const refuseOther = (read: JsonBody | Refusal): Refusal =>
  read instanceof Refusal && read.code !== 'invalid_json'
    ? read
    : new Refusal('invalid_request', { message: 'The content type must be multipart/form-data.' });

function refuseHead({ request: { headers } }: Exchange): Refusal | undefined {
  if (headers.get('content-encoding') !== null)
    return new Refusal('invalid_request', { message: 'A form must be sent without a content-encoding.' });
  return boundaryOf(headers.get('content-type')!) === undefined
    ? new Refusal('invalid_request', { message: 'The content type has no valid boundary.' })
    : undefined;
}

const tooLarge = (limit: number) =>
  new Refusal('body_too_large', { message: `The upload is larger than ${limit / MEGABYTE} MB.` });

type Visit = { exchange: Exchange; gate: BodyGate; space: UploadSpace; shape: FormShape; limit: number };

class FormReading {
  readonly #visit: Visit;
  readonly #length: number | undefined;
  readonly #booking: Booking;
  readonly #before: number;
  readonly #upload: KeptUpload;
  readonly #collector: FormCollector;
  readonly #parser: FormParser;
  #received = 0;
  #refusal: Refusal | undefined;

  constructor(visit: Visit) {
    const { exchange, gate, space } = visit;
    const { headers } = exchange.request;
    this.#visit = visit;
    this.#length = announcedLength(headers);
    this.#booking = bookingOf(exchange, gate.budget);
    this.#before = this.#booking.held;
    this.#upload = new KeptUpload(space, exchange.accountId ?? '', this.#length);
    exchange.upload = this.#upload;
    this.#collector = new FormCollector(this.#upload);
    this.#parser = new FormParser(boundaryOf(headers.get('content-type')!)!, this.#collector);
  }

  async read(): Promise<JsonBody | Refusal> {
    try {
      return await this.#readBody();
    } catch (error) {
      return brokenOff(error);
    }
  }

  async #readBody(): Promise<JsonBody | Refusal> {
    const { exchange, gate, limit } = this.#visit;
    const length = this.#length;
    if (length !== undefined && length > limit + DRAIN_BYTES) return tooLarge(limit);
    const { body } = exchange.request;
    if (body === null) return this.#finish();
    const incoming = new IncomingBody(body, gate.clock, Math.ceil((length ?? limit) / MAX_BODY_BYTES));
    if (length !== undefined && length > limit) return this.#drain(incoming, tooLarge(limit));
    const filled = await incoming.each((chunk) => this.#take(chunk));
    if (filled === 'late') return tooLate();
    return this.#refusal ? this.#drain(incoming, this.#refusal) : this.#finish();
  }

  #take(chunk: Uint8Array): MaybeLater<boolean> {
    this.#received += chunk.byteLength;
    if (this.#received > this.#visit.limit) return this.#refuse(tooLarge(this.#visit.limit));
    try {
      this.#parser.push(chunk);
    } catch (error) {
      return this.#refuse(refusalOf(error));
    }
    return after(this.#upload.flush(), (refusal) => (refusal ? this.#refuse(refusal) : this.#book()));
  }

  #refuse(refusal: Refusal): false {
    this.#refusal = refusal;
    return false;
  }

  /** Books what is held and as much ahead as has arrived, at most a step. */
  #book(): MaybeLater<boolean> {
    if (this.#received <= UNCOUNTED_BODY_BYTES) return true;
    const needed = this.#before + this.#upload.heldBytes + Math.min(this.#received, STEP_BYTES);
    const { held } = this.#booking;
    if (held - STEP_BYTES >= needed) this.#booking.shrink(needed);
    if (held >= needed) return true;
    const unread = held === this.#before ? UNREAD_BYTES : 0;
    const growing = this.#booking.grow(needed - held, { unread });
    return after(growing, (isAdmitted) => isAdmitted || this.#refuse(outOfMemory()));
  }

  /** Most clients write their whole body before they read, so a moderate rest is read and discarded. */
  async #drain(incoming: IncomingBody, refusal: Refusal): Promise<Refusal> {
    this.#upload.release();
    this.#booking.shrink(this.#before);
    const leave = this.#visit.gate.drains.enter();
    const drained = leave ? await incoming.drain(this.#received + DRAIN_BYTES) : 'full';
    leave?.();
    if (drained === 'ended') return refusal;
    await incoming.cancel();
    return new Refusal(refusal.code, {
      ...refusal.details,
      headers: { ...refusal.details.headers, connection: 'close' },
    });
  }

  #sound(parts: readonly FormPart[]): MaybeLater<SoundLength | undefined> {
    const file = fileNamed(parts, this.#visit.shape.sound);
    return file && soundSeconds(file, this.#upload);
  }

  async #finish(): Promise<JsonBody | Refusal> {
    try {
      this.#parser.finish();
      const { parts } = this.#collector;
      const value = formValue(parts, this.#visit.shape);
      const form: Form = { parts, content: this.#upload, sound: await this.#sound(parts) };
      const body = formBody(value, form);
      const held = this.#upload.heldBytes * 2 + body.text.length * COPIES + SENDING_BYTES;
      this.#booking.shrink(this.#before);
      this.#booking.add(held);
      return body;
    } catch (error) {
      return refusalOf(error);
    }
  }
}

const fileNamed = (parts: readonly FormPart[], name: string | undefined): FormFile | undefined =>
  name === undefined ? undefined : parts.filter(isFile).find((part) => part.name === name);

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof FormFault)) throw error;
  return new Refusal('invalid_request', { message: error.message, param: error.field });
}
