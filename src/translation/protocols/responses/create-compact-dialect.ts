import { knownBody } from '../../../base/json/json-body.ts';
import { patchChecked, patchKnown } from '../../../base/json/patch-json.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { leastCeilings } from '../../canonical/least-ceilings.ts';
import { COMPACTION } from '../../canonical/refused-word.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { checkPrompt } from './check-request.ts';
import { compactCodec } from './compact-codec.ts';
import { compactRequestSchema } from './compact-request-schema.ts';
import { patchCompaction } from './compaction-object.ts';
import { nameReferences } from './item-reference.ts';
import { responseNeeds } from './response-needs.ts';
import { storedResponses } from './stored-responses.ts';
import { withoutNullInput } from './without-null-input.ts';

/**
 * The dialect of compactions. The vendor's own endpoint makes one, if the host has it. Otherwise the model
 * writes a summary, which the gateway seals.
 */
export function createCompactDialect(): Dialect {
  const validate = createValidator(compactRequestSchema);
  return {
    codec: compactCodec,
    wire: 'openai-responses',
    keyHeader: 'bearer',
    idPrefix: 'resp_',
    keepsAnswers: storedResponses,
    upstreamPath: '/responses/compact',
    needs: responseNeeds,
    inspect: createInspection(compactRequestSchema, ['input', 'tools']),
    ceilings: ['max_output_tokens'],
    leastOutput: leastCeilings['openai-responses'],
    // The vendor's endpoint takes no ceiling, so the model writes an answer that must be shorter.
    goesToOwnEndpoint: ({ body }, { maxOutput }, refuses) =>
      refuses?.has(COMPACTION) !== true &&
      !(Number(body.value.max_output_tokens) < (maxOutput ?? Number.POSITIVE_INFINITY)),
    read(sent) {
      const body = withoutNullInput(sent);
      nameReferences(body.value.input);
      const refusal = checkPrompt(body.value, validate);
      if (refusal) return refusal;
      const text = patchChecked(body.text, body.value, { store: 'false', stream: null, background: null });
      const { stream: _, background: __, ...value } = body.value;
      return {
        body: knownBody(text, { ...value, store: false }),
        model: String(value.model),
        stream: false,
      };
    },
    patchRequest: ({ body }, upstreamModel) =>
      patchKnown(body.text, body.value, {
        model: JSON.stringify(upstreamModel),
        previous_response_id: null,
        // The vendor's endpoint refuses the members that only a response has.
        store: null,
        stream: null,
        background: null,
        max_output_tokens: null,
      }),
    patchAnswer: (text, label) => patchCompaction(text, parseObject(text), label),
    frameReader: () => {
      throw new Error('a compaction is not streamed');
    },
  };
}
