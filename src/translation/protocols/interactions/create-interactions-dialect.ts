import { createValidator } from '../../../base/schema/validator.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import { answerFinisher } from './answer-finisher.ts';
import { backgroundInteractionsForm } from './background-interactions-form.ts';
import { checkRequest } from './check-request.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeInteraction } from './encode-interaction.ts';
import { inspectInteractions } from './inspect-interactions.ts';
import { interactionNeeds } from './interaction-needs.ts';
import { InteractionsFrameReader } from './interactions-frame-reader.ts';
import { InteractionsStreamEncoder } from './interactions-stream-encoder.ts';
import { CEILING, normalRequest } from './normal-request.ts';
import { patchAnswer } from './patch-answer.ts';
import { patchRequest } from './patch-request.ts';
import { normalRequestSchema } from './request-schema.ts';
import { storedInteractions } from './stored-interactions.ts';

/** The names of this protocol for fields that other wires refuse. */
const paramNames = {
  messages: 'input',
  max_completion_tokens: 'generation_config.max_output_tokens',
  tool_choice: 'generation_config.tool_choice',
  reasoning_effort: 'generation_config.thinking_level',
  temperature: 'generation_config.temperature',
  top_p: 'generation_config.top_p',
  stop: 'generation_config.stop_sequences',
};

function createInteractionsDialectCodec(): DialectCodec {
  const validate = createValidator(normalRequestSchema);
  return {
    id: 'interactions',
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: (head) => {
      const encoder = new InteractionsStreamEncoder(head);
      return (event) => encoder.encode(event);
    },
    encodeResponse: (response, head) => new RawJson(encodeInteraction(response, head)),
    answerFinisher,
    paramNames,
  };
}

/** The dialect of Google's Interactions API. */
export function createInteractionsDialect(): Dialect {
  const validate = createValidator(normalRequestSchema);
  return {
    codec: createInteractionsDialectCodec(),
    wire: 'google-interactions',
    keyHeader: 'google',
    idPrefix: 'interaction_',
    keepsAnswers: storedInteractions,
    runsInBackground: backgroundInteractionsForm,
    upstreamPath: '/interactions',
    needs: interactionNeeds,
    inspect: inspectInteractions,
    ceilings: [CEILING],
    read(sent) {
      const body = normalRequest(sent);
      const refusal = checkRequest(body.value, validate);
      if (refusal) return refusal;
      const { model, stream, background } = body.value;
      const request = { body, model: String(model), stream: stream === true };
      return background === true ? { ...request, echo: { background: true } } : request;
    },
    patchRequest,
    patchAnswer,
    frameReader: (request, label) => new InteractionsFrameReader({ request, label }),
  };
}
