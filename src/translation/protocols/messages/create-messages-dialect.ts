import { Refusal } from '../../../base/errors/refusal.ts';
import { patchChecked } from '../../../base/json/patch-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import { corrections } from './corrections.ts';
import { createMessagesWireCodec } from './create-messages-wire-codec.ts';
import { inspectMessages } from './inspect-messages.ts';
import { messageNeeds } from './message-needs.ts';
import { createMessagesDialectCodec } from './messages-dialect-codec.ts';
import { MessagesFrameReader } from './messages-frame-reader.ts';
import { patchAnswer } from './patch-answer.ts';
import { refuseRemoved, VERSION_HEADER } from './protocol-version.ts';
import { thinkingView } from './thinking-view.ts';

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
    patchAnswer: (text, label, request) =>
      patchAnswer(text, label, { showsThinking: showsThinking(request) }),
    frameReader: (request, label) =>
      new MessagesFrameReader({ decode: streamDecoder(), label, showsThinking: showsThinking(request) }),
  };
}

/** Returns the canonical request, which `read` has set. */
const canonicalOf = ({ canonical }: InferenceRequest): CanonicalRequest => canonical!;

const showsThinking = (request: InferenceRequest): boolean => thinkingView(canonicalOf(request)) !== 'none';
