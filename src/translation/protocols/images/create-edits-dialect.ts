import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { END_OF_BODY } from '../../contract/codec.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { namedRequest } from '../metered/named-request.ts';
import { askedImages, OTHER_COUNTS, refuseTwoSizes } from './asked-images.ts';
import { createImageReader } from './create-image-reader.ts';
import { editsForm } from './edits-form.ts';
import { type EditsRequest, editsSchema } from './edits-schema.ts';
import { patchAnswer } from './patch-answer.ts';
import { refuseSvg } from './refuse-svg.ts';

/** Creates the dialect of requests to edit images, as a form with files or as JSON. */
export function createEditsDialect(): Dialect {
  const validate = createValidator(editsSchema);
  return {
    modelKind: 'image',
    wire: 'openai-images',
    form: editsForm,
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/images/edits',
    inspect: createInspection(editsSchema, ['images', 'mask'], { foreign: OTHER_COUNTS }),
    read(body) {
      const refusal =
        refuseInvalid(body.value, validate) ?? refuseSvg(body.value) ?? refuseTwoSizes(body.value);
      if (refusal) return refusal;
      const request = body.value as EditsRequest;
      const { model, stream } = request;
      if (!body.form && !request.images) return invalidParam('images', 'is required');
      const metered = askedImages(body.value, imagesIn(request));
      return { body, model, stream: stream === true, metered };
    },
    patchRequest: namedRequest,
    patchAnswer,
    frameReader: createImageReader,
    closingFrame: END_OF_BODY,
  };
}

/** Counts the images of a request. The model reads a mask and a markup as images too. */
function imagesIn(request: EditsRequest): number {
  const { image, images, mask, markup } = request;
  const sent = image ?? request['image[]'] ?? images ?? [];
  return sent.length + (mask ? 1 : 0) + (markup ? 1 : 0);
}
