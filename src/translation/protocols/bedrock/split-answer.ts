import { compactJson } from '../../../base/json/compact-json.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { keysOf } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';

const frame = (event: string, payload: unknown): Frame => ({ event, data: JSON.stringify(payload) });

/** Splits a unary answer into the events that ConverseStream would have sent. */
export function splitAnswer(text: string): Frame[] {
  const body = parseObject(text);
  const message = objectOf(body.output).message;
  if (!isObject(message)) throw new SyntaxError('the answer has no message');
  const { stopReason, additionalModelResponseFields, usage } = body;
  return [
    frame('messageStart', { role: 'assistant' }),
    ...listOf(message.content).flatMap((block, index) => blockFrames(objectOf(block), index, text)),
    frame('messageStop', { stopReason, additionalModelResponseFields }),
    frame('metadata', { usage }),
    END_OF_STREAM,
  ];
}

function blockFrames(block: Fields, index: number, text: string): Frame[] {
  const kind = keysOf(deltaMakers).find((name) => block[name] !== undefined);
  const input = () => inputText(text, index, block);
  const deltas = kind === undefined ? [] : deltaMakers[kind](block[kind], input);
  const place = { contentBlockIndex: index };
  return [
    frame('contentBlockStart', { ...place, start: startOf(block, kind) }),
    ...deltas.map((delta) => frame('contentBlockDelta', { ...place, delta })),
    frame('contentBlockStop', place),
  ];
}

type StreamedKind = 'text' | 'toolUse' | 'reasoningContent' | 'citationsContent';

/** Returns the start of a block. A block of a kind without deltas is sent whole in its start event. */
function startOf(block: Fields, kind: StreamedKind | undefined): Fields {
  if (kind === undefined) return block;
  return kind === 'toolUse' ? { toolUse: { ...objectOf(block.toolUse), input: undefined } } : {};
}

/** Makes the deltas of a block from its only member. `input` returns the text of a call's input. */
const deltaMakers: Record<StreamedKind, (value: unknown, input: () => string) => Fields[]> = {
  text: (text) => [{ text }],
  toolUse: (_call, input) => [{ toolUse: { input: input() } }],
  reasoningContent: (content) => {
    const { reasoningText, redactedContent } = objectOf(content);
    if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
    const { text, signature } = objectOf(reasoningText);
    const signed = signature === undefined ? [] : [{ reasoningContent: { signature } }];
    return [{ reasoningContent: { text: textOf(text) ?? '' } }, ...signed];
  },
  citationsContent: (value) => {
    const { content, citations } = objectOf(value);
    const texts = listOf(content).map((piece) => ({ text: textOf(objectOf(piece).text) ?? '' }));
    return [...texts, ...listOf(citations).map((citation) => ({ citation }))];
  },
};

/** Returns the input as the vendor wrote it, since parsing would round large numbers. */
function inputText(text: string, index: number, block: Fields): string {
  const sent = sliceJson(text, ['output', 'message', 'content', index, 'toolUse', 'input']);
  return sent === undefined ? JSON.stringify(objectOf(block.toolUse).input ?? {}) : compactJson(sent);
}
