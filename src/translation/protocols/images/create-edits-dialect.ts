import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { END_OF_BODY } from '../../contract/frame.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createBodyReader } from '../metered/create-body-reader.ts';
import { patchModel } from '../metered/patch-model.ts';
import { createImageReader } from './create-image-reader.ts';
import { editsForm } from './edits-form.ts';
import { type EditsRequest, editsSchema } from './edits-schema.ts';
import { imageForm, refuseTwoSizes } from './image-form.ts';
import { imagesAsk, OTHER_COUNTS } from './images-ask.ts';
import { patchAnswer } from './patch-answer.ts';
import { refuseSvg } from './refuse-svg.ts';

/** Creates the dialect of requests to edit images, as a form with files or as JSON. */
export function createEditsDialect(): Dialect {
  const readBody = createBodyReader(editsSchema);
  return {
    modelKind: 'image',
    wire: 'openai-images',
    form: editsForm,
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/images/edits',
    inspect: createInspection(editsSchema, ['images', 'mask'], { foreign: OTHER_COUNTS }),
    read(body) {
      const request = readBody(body);
      if (request instanceof Refusal) return request;
      const refusal = refuseSvg(body.value) ?? refuseTwoSizes(body.value);
      if (refusal) return refusal;
      const { model, stream } = request;
      if (!body.form && !request.images) return invalidParam('images', 'is required');
      const metered = imagesAsk(request, imageForm(body.value), imagesIn(request));
      return { body, model, stream: stream === true, metered };
    },
    patchRequest: patchModel,
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
