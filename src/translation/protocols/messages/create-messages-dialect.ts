import { Refusal } from '../../../base/errors/refusal.ts';
import { patchChecked } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import { corrections } from './corrections.ts';
import { createMessagesFrameReader } from './create-messages-frame-reader.ts';
import { createMessagesWireCodec } from './create-messages-wire-codec.ts';
import { inspectMessages } from './inspect-messages.ts';
import { messageNeeds } from './message-needs.ts';
import { createMessagesDialectCodec } from './messages-dialect-codec.ts';
import { patchMessage } from './patch-message.ts';
import { refuseRemoved, VERSION_HEADER } from './protocol-version.ts';
import { thinkingView } from './thinking-view.ts';
import { contentWithoutThinking } from './unasked-thinking.ts';
import { decodeUsage, hasUsage } from './usage.ts';

/** Creates the messages dialect on its own wire. */
export function createMessagesDialect(): Dialect {
  const codec = createMessagesDialectCodec();
  const { streamDecoder } = createMessagesWireCodec();
  return {
    codec,
    wire: 'anthropic-messages',
    keyHeader: 'either',
    idPrefix: 'msg_',
    upstreamPath: '/messages',
    needs: messageNeeds,
    inspect: inspectMessages,
    ceilings: ['max_tokens'],
    refuseRemoved: (body, headers) => refuseRemoved(body, headers.get(VERSION_HEADER)),
    read(body) {
      const canonical = codec.decodeRequest(body);
      if (canonical instanceof Refusal) return canonical;
      return { body, model: canonical.model, stream: canonical.stream, canonical };
    },
    patchRequest(request, upstreamModel, target) {
      const { body } = request;
      const { patch, losses } = corrections(body.value, canonicalOf(request), target);
      const model = jsonString(upstreamModel);
      return { body: patchChecked(body.text, body.value, { model, ...patch }), losses };
    },
    patchAnswer,
    frameReader: (request, label) =>
      createMessagesFrameReader({ decode: streamDecoder(), label, showsThinking: showsThinking(request) }),
  };
}

const isContent = (content: unknown): boolean =>
  Array.isArray(content) && content.every((block) => textOf(objectOf(block).type) !== undefined);

/** Returns the canonical request, which `read` has set. */
const canonicalOf = ({ canonical }: InferenceRequest): CanonicalRequest => canonical!;

const showsThinking = (request: InferenceRequest): boolean => thinkingView(canonicalOf(request)) !== 'none';

function patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest) {
  const answer = parseObject(text);
  if (answer.type !== 'message' || !isContent(answer.content))
    throw new SyntaxError('the answer is not a message');
  if (typeof answer.id === 'string') label.reportId?.(answer.id);
  const content = showsThinking(request) ? undefined : contentWithoutThinking(text, listOf(answer.content));
  const usage = usageOfWhole(
    hasUsage(answer.usage) ? decodeUsage(objectOf(answer.usage)) : undefined,
    answer.content,
    label.estimate,
  );
  const billed = billedUsage(usage, label.estimate);
  return { text: patchMessage({ text, value: answer }, label, { content, usage: billed }), usage };
}
