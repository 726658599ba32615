import type { StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { Frame } from '../codec.ts';
import type { AnswerLabel, Dialect, FrameReader, InferenceRequest } from '../dialect.ts';
import { formatFrame } from '../format-frame.ts';
import { membersOf, patchJson } from '../patch-json.ts';
import { listOf, objectOf } from '../read-json.ts';
import { RefusedAnswer } from '../refused-answer.ts';
import { corrections } from './corrections.ts';
import { messageNeeds } from './message-needs.ts';
import { createMessagesDialectCodec } from './messages-dialect-codec.ts';
import { createMessagesWireCodec } from './messages-wire-codec.ts';
import { patchMessage } from './patch-message.ts';
import { thinkingView } from './thinking-view.ts';
import { contentWithoutThinking, createThinkingFilter } from './unasked-thinking.ts';
import { decodeUsage } from './usage.ts';

/** Messages on a messages wire. */
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
    ceilings: ['max_tokens'],
    read(body) {
      const canonical = codec.decodeRequest(body);
      if (canonical instanceof Refusal) return canonical;
      return { body, model: canonical.model, stream: canonical.stream, canonical };
    },
    patchRequest({ body, canonical }, upstreamModel, target) {
      const { patch, losses } = corrections(body.value, canonical!, target);
      const model = JSON.stringify(upstreamModel);
      return { body: patchJson(body.text, body.members, { model, ...patch }), losses };
    },
    patchAnswer,
    frameReader: (request, label) => createFrameReader(streamDecoder(), label, showsThinking(request)),
  };
}

const showsThinking = ({ canonical }: InferenceRequest): boolean => thinkingView(canonical!) !== 'none';

function patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest) {
  const answer = JSON.parse(text) as { type?: unknown; usage?: unknown; content?: unknown };
  if (answer.type !== 'message') throw new SyntaxError('an answer that is no message');
  const content = showsThinking(request) ? undefined : contentWithoutThinking(text, listOf(answer.content));
  return {
    text: patchMessage(text, label, content === undefined ? {} : { content }),
    usage: decodeUsage(objectOf(answer.usage)),
  };
}

const CLOSING = new Set(['message_delta', 'message_stop']);

function createFrameReader(
  decode: (frame: Frame) => StreamEvent[],
  label: AnswerLabel,
  showsThinking: boolean,
): FrameReader {
  const filter = showsThinking ? undefined : createThinkingFilter();
  return (frame) => {
    let begins = false;
    let usage: Usage | undefined;
    let saidLength = 0;
    for (const event of decode(frame)) {
      if (event.type === 'response-error') throw new RefusedAnswer(event.refusal);
      begins ||= event.type === 'part-start' || event.type === 'response-end';
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'part-delta' && 'text' in event.delta) saidLength += event.delta.text.length;
    }
    const event = JSON.parse(frame.data) as { type: string };
    const { type } = event;
    const shown = filter ? filter(frame.data, event) : frame.data;
    const data = type === 'message_start' ? patchStart(frame.data, label) : shown;
    return {
      text: data === undefined ? '' : formatFrame({ event: type, data }),
      begins,
      closes: CLOSING.has(type),
      ends: type === 'message_stop',
      saidLength,
      ...(usage && { usage }),
    };
  };
}

/** The one frame that names the message and its model. */
function patchStart(data: string, label: AnswerLabel): string {
  const members = membersOf(data);
  const place = members.get('message');
  if (!place) return data;
  return patchJson(data, members, { message: patchMessage(data.slice(place.start, place.end), label) });
}
