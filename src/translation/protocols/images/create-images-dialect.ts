import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { END_OF_BODY } from '../../contract/codec.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { namedRequest } from '../metered/named-request.ts';
import { askedImages, OTHER_COUNTS, refuseTwoSizes } from './asked-images.ts';
import { createImageReader } from './create-image-reader.ts';
import { patchAnswer } from './patch-answer.ts';
import { refuseSvg } from './refuse-svg.ts';
import { type ImagesRequest, requestSchema } from './request-schema.ts';

/** The dialect of requests to make images. It is passed on to its own wire, whole and as a stream. */
export function createImagesDialect(): Dialect {
  const validate = createValidator(requestSchema);
  return {
    modelKind: 'image',
    wire: 'openai-images',
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/images/generations',
    inspect: createInspection(requestSchema, [], { foreign: OTHER_COUNTS }),
    read(body) {
      const refusal =
        refuseInvalid(body.value, validate) ?? refuseSvg(body.value) ?? refuseTwoSizes(body.value);
      if (refusal) return refusal;
      const { model, stream } = body.value as ImagesRequest;
      return { body, model, stream: stream === true, metered: askedImages(body.value) };
    },
    patchRequest: namedRequest,
    patchAnswer,
    frameReader: createImageReader,
    closingFrame: END_OF_BODY,
  };
}
