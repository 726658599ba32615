import { Refusal } from '../../../base/errors/refusal.ts';
import { textOf } from '../../../base/json/read-json.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { DialectCodec } from '../../contract/codec.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { addressedBody, CEILING } from './addressed-body.ts';
import { createGoogleChunkReader } from './create-google-chunk-reader.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-answer.ts';
import { closingFrame } from './explode.ts';
import { fitConfig } from './fit-config.ts';
import { googleNeeds } from './google-needs.ts';
import { GoogleStreamEncoder } from './google-stream-encoder.ts';
import { modelPath } from './google-wire-codec.ts';
import { inspectGoogle } from './inspect-google.ts';
import { modelName } from './model-name.ts';
import { patchAnswer } from './patch-answer.ts';
import { addressedRequestSchema } from './request-schema.ts';
import { vendorBody } from './vendor-body.ts';

/** The names of this protocol for fields that other wires refuse. */
const paramNames = {
  messages: 'contents',
  max_completion_tokens: 'generationConfig.maxOutputTokens',
  tool_choice: 'toolConfig.functionCallingConfig',
  response_format: 'generationConfig.responseMimeType',
  reasoning_effort: 'generationConfig.thinkingConfig.thinkingLevel',
  temperature: 'generationConfig.temperature',
  top_p: 'generationConfig.topP',
  stop: 'generationConfig.stopSequences',
  n: 'generationConfig.candidateCount',
};

/** Creates the codec for Google's clients, whose models are on other wires. */
export function createGoogleDialectCodec(): DialectCodec {
  const validate = createValidator(addressedRequestSchema);
  return {
    id: 'google',
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: (head) => {
      const encoder = new GoogleStreamEncoder(head);
      return (event) => encoder.encode(event);
    },
    encodeResponse,
    paramNames,
  };
}

/**
 * Creates the dialect of Google's clients, on its own wire. Its bodies have several spellings, and its paths
 * name the model and the method.
 */
export function createGoogleDialect({ stream }: { stream: boolean }): Dialect {
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
    frameReader: (_request, label) => createGoogleChunkReader(label),
    closingFrame,
  };
}
