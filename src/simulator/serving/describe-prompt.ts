import { counted } from '../../base/lib/counted.ts';
import type { Prompt } from '../model/prompt.ts';
import type { Media, PromptPart } from '../model/prompt-part.ts';
import { lastUserText, partsOf, resultText } from './prompt-text.ts';
import { isOwnSignature } from './sign-thinking.ts';

/** The maximum length of a quotation. */
const QUOTED = 200;

const quote = (text: string): string =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);

/** Describes the received prompt in words. This is the answer to every prompt without a directive. */
export function describePrompt(prompt: Prompt): string {
  return [
    ...describeText(prompt),
    ...describeConversation(prompt),
    ...describeSummary(partsOf(prompt)),
    ...describeMedia(partsOf(prompt)),
    ...describeResults(partsOf(prompt)),
    ...describeThinking(partsOf(prompt)),
  ].join(' ');
}

function describeText(prompt: Prompt): string[] {
  const text = lastUserText(prompt);
  return text
    ? [`You said ${quote(text)} (${counted(text.length, 'character')}).`]
    : ['The last turn has no text.'];
}

function describeConversation(prompt: Prompt): string[] {
  const extras = [
    prompt.system && `a system prompt of ${counted(prompt.system.length, 'character')}`,
    prompt.tools.length > 0 && `${counted(prompt.tools.length, 'tool')}`,
  ].filter(Boolean);
  return [`Received ${[counted(prompt.turns.length, 'turn'), ...extras].join(', ')}.`];
}

const describeSummary = (parts: PromptPart[]): string[] =>
  parts.flatMap((part) =>
    part.kind === 'summary'
      ? [`A summary of ${counted(part.text.length, 'character')} replaces earlier turns.`]
      : [],
  );

function describeMedia(parts: PromptPart[]): string[] {
  return parts
    .flatMap((part) => (part.kind === 'tool-result' ? part.parts : [part]))
    .flatMap((part) => (isMedia(part) ? [describeOne(part)] : []));
}

const isMedia = (part: PromptPart): part is Media => 'mediaType' in part;

function describeOne({ kind, name, mediaType, bytes, source, text }: Media): string {
  const label = `${kind[0]!.toUpperCase()}${kind.slice(1)}${name ? ` ${quote(name)}` : ''}`;
  const size = bytes === undefined ? `at ${quote(source ?? '')}` : `of ${counted(bytes, 'byte')}`;
  return `${label} ${mediaType} ${size}${text ? `, beginning ${quote(text)}` : ''}.`;
}

function describeResults(parts: PromptPart[]): string[] {
  return parts.flatMap((part) =>
    part.kind === 'tool-result'
      ? [`Tool result ${part.id}${part.hasFailed ? ' (an error)' : ''}: ${quote(resultText(part))}.`]
      : [],
  );
}

function describeThinking(parts: PromptPart[]): string[] {
  const thinking = parts.filter((part) => part.kind === 'thinking');
  if (thinking.length === 0) return [];
  const intact = thinking.filter((part) => isOwnSignature(part.signature)).length;
  return [`${counted(thinking.length, 'thinking part')}, ${intact} with an intact signature.`];
}
