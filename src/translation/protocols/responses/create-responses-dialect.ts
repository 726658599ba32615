import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { backgroundResponsesForm } from './background-responses-form.ts';
import { checkRequest } from './check-request.ts';
import { createResponsesFrameReader } from './create-responses-frame-reader.ts';
import { nameReferences } from './item-reference.ts';
import { MIN_OUTPUT_TOKENS } from './min-output-tokens.ts';
import { type EnvelopeTerms, patchEnvelope } from './patch-envelope.ts';
import { patchRequest } from './patch-request.ts';
import { refusalOf } from './refusal-of.ts';
import { responsesRequestSchema } from './request-schema.ts';
import { responseNeeds } from './response-needs.ts';
import { createResponsesDialectCodec } from './responses-dialect-codec.ts';
import { storedResponses } from './stored-responses.ts';
import { usageOfResponse } from './usage.ts';
import { isKept, showsEncrypted } from './view.ts';

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
    leastOutput: MIN_OUTPUT_TOKENS,
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
    frameReader: (request, label) => createResponsesFrameReader(termsOf(request, label)),
  };
}

const termsOf = ({ body: { value } }: InferenceRequest, label: AnswerLabel): EnvelopeTerms => ({
  label,
  requestBody: value,
  view: { showsThinking: value.reasoning != null, showsEncrypted: showsEncrypted(value) },
});

function patchAnswer(text: string, terms: EnvelopeTerms): WholeAnswer {
  const response = parseObject(text);
  checkAnswer(response);
  if (typeof response.id === 'string') terms.label.reportId?.(response.id);
  const usage = usageOfWhole(usageOfResponse(response), response.output, terms.label.estimate);
  const billed = billedUsage(usage, terms.label.estimate);
  const answer = patchEnvelope({ text, value: response }, terms, { usage: billed });
  return { text: answer.envelope, usage, ...(isKept(terms.requestBody) && { answer }) };
}

const failed = new Set(['failed', 'cancelled']);
/** The status of an answer that has ended. Some hosts omit it. */
const ended = new Set(['completed', 'incomplete', undefined]);

function checkAnswer({ status, error, output }: JsonObject): void {
  if (isObject(error) || failed.has(String(status))) throw new RefusedAnswer(refusalOf(error));
  if (!Array.isArray(output)) throw new SyntaxError('the answer has no output');
  if (!ended.has(textOf(status))) throw new SyntaxError('the answer is not finished');
}
