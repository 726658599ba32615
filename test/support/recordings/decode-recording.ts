import { Refusal } from '../../../src/base/errors/refusal.ts';
import { collect } from '../../../src/translation/canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../../src/translation/canonical/event.ts';
import { inputTotal, outputTotal, type Usage } from '../../../src/translation/canonical/usage.ts';
import type { Frame } from '../../../src/translation/contract/frame.ts';
import type { Json } from '../call.ts';
import { type AnswerContent, emptyContent, textInput } from './answer-content.ts';
import { createWireCodecs } from './create-wire-codecs.ts';
import type { UsageFacts } from './fixture.ts';
import type { Recording } from './recording.ts';

/**
 * Returns the codec of the recording's wire. Calls without an id are numbered, so that two readings give them
 * the same ids.
 */
const codecOf = ({ wire }: Recording) => {
  let calls = 0;
  return createWireCodecs(() => `call_${calls++}`)[wire];
};

function frameOf({ wire }: Recording, data: string): Frame {
  if (wire === 'anthropic-messages') return { event: (JSON.parse(data) as Json).type, data };
  if (wire !== 'bedrock-converse') return { data };
  const [[event, payload]] = Object.entries(JSON.parse(data)) as [[string, unknown]];
  return { event: /Exception$/.test(event) ? `exception:${event}` : event, data: JSON.stringify(payload) };
}

function framesOf(recording: Recording): Frame[] {
  const { wire, stream, lines } = recording;
  const codec = codecOf(recording);
  if (!stream) return codec.splitAnswer(lines[0]!);
  return [
    ...lines.map((line) => frameOf(recording, line)),
    ...(wire === 'openai-chat' ? [{ data: '[DONE]' }] : []),
    ...(codec.closingFrame ? [codec.closingFrame] : []),
  ];
}

/** Decodes a recording into events, up to the end of its body. */
export function decodeRecording(recording: Recording): StreamEvent[] {
  return framesOf(recording).flatMap(codecOf(recording).streamDecoder());
}

/**
 * Decodes the events of a stream that fails, up to its failure. A frame that cannot be read is a failure of
 * the upstream.
 */
export function decodeFailure(recording: Recording): StreamEvent[] {
  const decode = codecOf(recording).streamDecoder();
  const events: StreamEvent[] = [];
  try {
    for (const frame of framesOf(recording)) events.push(...decode(frame));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    events.push({ type: 'response-error', refusal: new Refusal('upstream_unavailable') });
  }
  return events;
}

export function answerOf(events: readonly StreamEvent[]): CanonicalResponse {
  const answer = collect(events);
  if (answer instanceof Refusal) throw new Error(answer.code);
  return answer;
}

/** Returns the content of a decoded answer in the form of the readers without codecs. */
export function contentOf({ parts, usage }: CanonicalResponse): AnswerContent {
  const content = emptyContent();
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'refusal' || part.kind === 'thinking')
      content[part.kind] += part.text;
    if (part.kind === 'tool-call')
      content.calls.push({
        id: part.callId,
        name: part.name,
        input:
          part.input.kind === 'json' ? textInput(part.input.text) : { text: part.input.text, isExact: true },
        isFreeform: part.input.kind === 'freeform',
      });
    if (part.kind === 'opaque') content.opaque.push(kindOf(part.block));
    if ('replay' in part && part.replay && !isFieldName(part)) content.tokens.push(part.replay.data);
  }
  if (usage) content.usage = { input: inputTotal(usage), output: outputTotal(usage) };
  return content;
}

/** Chat completions do not sign reasoning. Their token is the name of the field that the host expects. */
const isFieldName = ({ kind, replay }: { kind: string; replay?: { issuer: string } | undefined }): boolean =>
  kind === 'thinking' && replay?.issuer === 'chat-completions';

const kindOf = (block: Json): string => block.type ?? Object.keys(block)[0];

export const sourcesOf = ({ parts }: CanonicalResponse): string[] =>
  parts.flatMap((part) =>
    part.kind === 'text' ? (part.citations ?? []).flatMap(({ url }) => url ?? []) : [],
  );

/** Removes shares that are zero or unknown. */
export function usageFactsOf(usage: Usage): UsageFacts {
  const { cacheRead, cacheWrite } = usage.input;
  return {
    input: inputTotal(usage),
    output: outputTotal(usage),
    ...(cacheRead && { cached: cacheRead }),
    ...(cacheWrite && { written: cacheWrite }),
    ...(usage.output.thinking && { thinking: usage.output.thinking }),
  };
}
