import { createValidator } from '../../../base/schema/validator.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-answer.ts';
import { GoogleStreamEncoder } from './google-stream-encoder.ts';
import { addressedRequestSchema } from './request-schema.ts';

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
  responseMimeType: 'generationConfig.responseMimeType',
  responseModalities: 'generationConfig.responseModalities',
  speechConfig: 'generationConfig.speechConfig',
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
