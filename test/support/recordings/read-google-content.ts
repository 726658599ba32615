import type { Json } from '../call.ts';
import { type AnswerContent, emptyContent, valueInput } from './answer-content.ts';

/** Reads Gemini's answers. The objects of a stream have the form of a whole answer, with a piece each. */
export function readGoogleContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  let args: Json;
  for (const { candidates = [], usageMetadata } of objects) {
    if (usageMetadata?.promptTokenCount !== undefined) answer.usage = usageOf(usageMetadata);
    for (const part of candidates[0]?.content?.parts ?? []) {
      if (part.thoughtSignature) answer.tokens.push(part.thoughtSignature);
      if (part.text) answer[part.thought ? 'thinking' : 'text'] += part.text;
      const { id, name, partialArgs, willContinue } = part.functionCall ?? {};
      if (part.functionCall === undefined) {
        if (part.text === undefined) answer.opaque.push(Object.keys(part)[0]!);
        continue;
      }
      if (name !== undefined) {
        args = part.functionCall.args ?? {};
        answer.calls.push({ ...(id && { id }), name, input: valueInput(args), isFreeform: false });
      }
      for (const piece of partialArgs ?? []) place(args, piece);
      if (partialArgs || willContinue) answer.calls.at(-1)!.input = valueInput(args);
    }
  }
  return answer;
}

/** Puts a value at a path like `$.recipe.steps[0]`; texts come in pieces. */
function place(args: Json, { jsonPath, ...value }: Json): void {
  const steps = jsonPath
    .match(/[^.[\]$]+/g)
    .map((step: string) => (/^\d+$/.test(step) ? Number(step) : step));
  const last = steps.pop();
  let node = args;
  for (const [at, step] of steps.entries())
    node = node[step] ??= typeof (steps[at + 1] ?? last) === 'number' ? [] : {};
  const { stringValue, numberValue, boolValue } = value;
  node[last] =
    stringValue === undefined ? (numberValue ?? boolValue ?? null) : (node[last] ?? '') + stringValue;
}

/** Input of the vendor's own tools is counted separately from the prompt. */
const usageOf = ({ promptTokenCount, toolUsePromptTokenCount = 0, totalTokenCount }: Json) => ({
  input: promptTokenCount + toolUsePromptTokenCount,
  output: totalTokenCount - promptTokenCount - toolUsePromptTokenCount,
});
