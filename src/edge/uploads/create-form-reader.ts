import { Refusal } from '../../base/errors/refusal.ts';
import { boundaryOf, isFormType } from '../../base/forms/boundary-of.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import type { BodyGate } from '../http/body-gate.ts';
import type { BodyReader } from '../http/create-body-reader.ts';
import type { Exchange } from '../http/exchange.ts';
import { FormReading } from './form-reading.ts';
import type { UploadSpace } from './upload-space.ts';

export type FormReader = (exchange: Exchange, shape: FormShape) => MaybeLater<JsonBody | Refusal>;

export type FormReaderParts = { gate: BodyGate; space: UploadSpace; readJson: BodyReader };

/** Creates the reader of forms with files. Files beyond a megabyte go to the disk while they arrive. */
export const createFormReader =
  ({ gate, space, readJson }: FormReaderParts): FormReader =>
  async (exchange, shape) => {
    const limit = exchange.snapshot.config.limits.max_upload_mb * MEGABYTE;
    const { headers } = exchange.request;
    if (!isFormType(headers.get('content-type')))
      return shape.orJson ? readJson(exchange) : refuseOther(await readJson(exchange));
    const boundary = boundaryIn(headers);
    if (boundary instanceof Refusal) return boundary;
    return new FormReading({ exchange, gate, space, shape, limit, boundary }).read();
  };

/**
 * Refuses a body that is not a form. It was read with the limit of JSON, so that every refused body is
 * bounded.
 */
const refuseOther = (body: JsonBody | Refusal): Refusal =>
  body instanceof Refusal && body.code !== 'invalid_json'
    ? body
    : new Refusal('invalid_request', { message: 'The content type must be multipart/form-data.' });

/** Returns the boundary that the head of a form names, or refuses the head. */
function boundaryIn(headers: Headers): string | Refusal {
  if (headers.get('content-encoding') !== null)
    return new Refusal('invalid_request', { message: 'A form must be sent without a content-encoding.' });
  return (
    boundaryOf(headers.get('content-type')) ??
    new Refusal('invalid_request', { message: 'The content type has no valid boundary.' })
  );
}
