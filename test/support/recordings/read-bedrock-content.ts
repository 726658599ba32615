import type { Json } from '../call.ts';
import { type AnswerContent, emptyContent, textInput, valueInput } from './answer-content.ts';

/** Reads Converse: events of one kind each, or one answer. */
export function readBedrockContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  const whole = objects[0].output?.message;
  const usage = whole ? objects[0].usage : objects.find(({ metadata }) => metadata)?.metadata.usage;
  for (const block of whole ? whole.content : joinBlocks(objects)) readBlock(answer, block);
  if (usage) answer.usage = usageOf(usage);
  return answer;
}

const usageOf = ({ inputTokens, outputTokens, ...usage }: Json) => ({
  input:
    inputTokens +
    (usage.cacheReadInputTokens ?? usage.cacheReadInputTokenCount ?? 0) +
    (usage.cacheWriteInputTokens ?? usage.cacheWriteInputTokenCount ?? 0),
  output: outputTokens,
});

function readBlock(
  answer: AnswerContent,
  { text, reasoningContent, toolUse, json, citationsContent }: Json,
): void {
  answer.text += text ?? '';
  for (const cited of citationsContent?.content ?? []) answer.text += cited.text;
  answer.thinking += reasoningContent?.reasoningText?.text ?? '';
  if (reasoningContent?.reasoningText?.signature)
    answer.tokens.push(reasoningContent.reasoningText.signature);
  if (reasoningContent?.redactedContent) answer.tokens.push(reasoningContent.redactedContent);
  if (toolUse)
    answer.calls.push({
      id: toolUse.toolUseId,
      name: toolUse.name,
      input: json === undefined ? valueInput(toolUse.input) : textInput(json),
      isFreeform: false,
    });
}

function joinBlocks(events: readonly Json[]): Json[] {
  const blocks = new Map<number, Json>();
  for (const { contentBlockStart: start, contentBlockDelta: grown } of events) {
    if (start) blocks.set(start.contentBlockIndex, { ...start.start, json: '' });
    if (grown) grow(blocks, grown.contentBlockIndex, grown.delta);
  }
  return [...blocks.values()];
}

function grow(blocks: Map<number, Json>, index: number, { text, toolUse, reasoningContent }: Json): void {
  const block = blocks.get(index) ?? {};
  blocks.set(index, block);
  if (text !== undefined) block.text = (block.text ?? '') + text;
  if (toolUse) block.json += toolUse.input;
  if (!reasoningContent) return;
  block.reasoningContent ??= { reasoningText: { text: '' } };
  block.reasoningContent.reasoningText.text += reasoningContent.text ?? '';
  if (reasoningContent.signature) block.reasoningContent.reasoningText.signature = reasoningContent.signature;
  if (reasoningContent.redactedContent)
    block.reasoningContent.redactedContent = reasoningContent.redactedContent;
}
