import { BadInput } from '../model/bad-input.ts';
import type { Prompt, PromptTurn } from '../model/prompt.ts';

const idsOf = (turn: PromptTurn | undefined, kind: 'tool-call' | 'tool-result'): Set<string> =>
  new Set((turn?.parts ?? []).flatMap((part) => (part.kind === kind ? [part.id] : [])));

/**
 * Refuses a tool result without its call, and a call without a result in the next turn. All vendors do so.
 */
export function checkToolResults({ turns }: Prompt): void {
  turns.forEach((turn, index) => {
    const calls = idsOf(turns[index - 1], 'tool-call');
    const results = idsOf(turn, 'tool-result');
    const [stray] = results.difference(calls);
    if (stray !== undefined)
      throw new BadInput(`Tool result '${stray}' has no tool call in the turn before it.`);
    const [missing] = calls.difference(results);
    if (missing !== undefined)
      throw new BadInput(`Tool call '${missing}' has no tool result in the next turn.`);
  });
}
