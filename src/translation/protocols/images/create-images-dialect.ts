import { Refusal } from '../../../base/errors/refusal.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { END_OF_BODY } from '../../contract/frame.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createBodyReader } from '../metered/create-body-reader.ts';
import { patchModel } from '../metered/patch-model.ts';
import { createImageReader } from './create-image-reader.ts';
import { imageForm, refuseTwoSizes } from './image-form.ts';
import { imagesAsk, OTHER_COUNTS } from './images-ask.ts';
import { patchAnswer } from './patch-answer.ts';
import { refuseSvg } from './refuse-svg.ts';
import { requestSchema } from './request-schema.ts';

/** The dialect of requests to make images. It is passed on to its own wire, whole and as a stream. */
export function createImagesDialect(): Dialect {
  const readBody = createBodyReader(requestSchema);
  return {
    modelKind: 'image',
    wire: 'openai-images',
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/images/generations',
    inspect: createInspection(requestSchema, [], { foreign: OTHER_COUNTS }),
    read(body) {
      const request = readBody(body);
      if (request instanceof Refusal) return request;
      const refusal = refuseSvg(body.value) ?? refuseTwoSizes(body.value);
      if (refusal) return refusal;
      const { model, stream } = request;
      const metered = imagesAsk(request, imageForm(body.value));
      return { body, model, stream: stream === true, metered };
    },
    patchRequest: patchModel,
    patchAnswer,
    frameReader: createImageReader,
    closingFrame: END_OF_BODY,
  };
}
