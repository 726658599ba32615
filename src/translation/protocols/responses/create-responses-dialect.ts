import { createValidator } from '../../../base/schema/validator.ts';
import { leastCeilings } from '../../canonical/least-ceilings.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { backgroundResponsesForm } from './background-responses-form.ts';
import { checkRequest } from './check-request.ts';
import { nameReferences } from './item-reference.ts';
import { patchAnswer } from './patch-answer.ts';
import type { EnvelopeTerms } from './patch-envelope.ts';
import { patchRequest } from './patch-request.ts';
import { responsesRequestSchema } from './request-schema.ts';
import { responseNeeds } from './response-needs.ts';
import { createResponsesDialectCodec } from './responses-dialect-codec.ts';
import { ResponsesFrameReader } from './responses-frame-reader.ts';
import { storedResponses } from './stored-responses.ts';
import { showsEncrypted } from './view.ts';

/** Creates the responses dialect on its own wire. */
export function createResponsesDialect(): Dialect {
  const validate = createValidator(responsesRequestSchema);
  return {
    codec: createResponsesDialectCodec(),
    wire: 'openai-responses',
    keyHeader: 'bearer',
    idPrefix: 'resp_',
    keepsAnswers: storedResponses,
    runsInBackground: backgroundResponsesForm,
    upstreamPath: '/responses',
    needs: responseNeeds,
    inspect: createInspection(responsesRequestSchema, ['input', 'tools']),
    ceilings: ['max_output_tokens'],
    leastOutput: leastCeilings['openai-responses'],
    read(body) {
      nameReferences(body.value.input);
      const refusal = checkRequest(body.value, validate);
      if (refusal) return refusal;
      const { model, stream, background } = body.value;
      const request = { body, model: String(model), stream: stream === true };
      return background === true ? { ...request, echo: { background: true } } : request;
    },
    patchRequest,
    patchAnswer: (text, label, request) => patchAnswer(text, termsOf(request, label)),
    frameReader: (request, label) => new ResponsesFrameReader(termsOf(request, label)),
  };
}

const termsOf = ({ body: { value } }: InferenceRequest, label: AnswerLabel): EnvelopeTerms => ({
  label,
  requestBody: value,
  view: { showsThinking: value.reasoning != null, showsEncrypted: showsEncrypted(value) },
});
