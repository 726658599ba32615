import { Refusal } from '../../../base/errors/refusal.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { END_OF_STREAM } from '../../contract/frame.ts';
import { addressedBody, CEILING } from './addressed-body.ts';
import { createGoogleDialectCodec } from './create-google-dialect-codec.ts';
import { fitConfig } from './fit-config.ts';
import { GoogleChunkReader } from './google-chunk-reader.ts';
import { googleNeeds } from './google-needs.ts';
import { inspectGoogle } from './inspect-google.ts';
import { modelName } from './model-name.ts';
import { modelPath } from './model-path.ts';
import { patchAnswer } from './patch-answer.ts';
import { vendorBody } from './vendor-body.ts';

/** A dialect of Google's clients. It decodes every request that it reads. */
export type GoogleDialect = Dialect & Required<Pick<Dialect, 'codec' | 'bodyAt'>>;

/**
 * Creates the dialect of Google's clients, on its own wire. Its bodies have several spellings, and its paths
 * name the model and the method.
 */
export function createGoogleDialect({ stream }: { stream: boolean }): GoogleDialect {
  const codec = createGoogleDialectCodec();
  return {
    codec,
    wire: 'google-generate',
    keyHeader: 'google',
    idPrefix: '',
    upstreamPath: stream ? '/models:streamGenerateContent' : '/models:generateContent',
    path: (target) => modelPath({ stream }, target),
    needs: googleNeeds,
    inspect: inspectGoogle,
    ceilings: [CEILING],
    bodyAt: (body, { id }) =>
      addressedBody(body, { model: modelName(id ?? textOf(body.value['model']) ?? ''), stream }),
    read(body) {
      const canonical = codec.decodeRequest(body);
      if (canonical instanceof Refusal) return canonical;
      return { body, model: canonical.model, stream, canonical, answers: canonical.choices ?? 1 };
    },
    patchRequest(request, _model, target) {
      const { patch, losses } = fitConfig(request, target);
      return { body: vendorBody(request.body, patch), losses };
    },
    patchAnswer,
    frameReader: (_request, label) => new GoogleChunkReader(label),
    closingFrame: END_OF_STREAM,
  };
}
