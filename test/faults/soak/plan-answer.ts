import type { Prompt } from '../../../src/simulator/model/prompt.ts';
import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type TokenRun,
  tokensOf,
} from '../../../src/simulator/model/reply.ts';
import type { Tokenizer } from '../../../src/simulator/model/tokenizer.ts';
import { limitChoice } from '../../../src/simulator/serving/limit-choice.ts';
import { prefixesOf } from '../../../src/simulator/serving/prefixes-of.ts';
import { signThinking } from '../../../src/simulator/serving/sign-thinking.ts';
import type { Script } from './draw-request.ts';

type Planned = { script: Script; thinks: boolean; cachedShare: number; tokenizer: Tokenizer };

/** Providers send several tokens with one event. */
const TOKENS_PER_PIECE = 5;
/** Cache writes cost the same as other input. Some wires report them separately. */
const WRITTEN_SHARE = 0.1;

/** The scripted answer as a provider would count it: a prompt once, and each of its answers. */
export function planAnswer(
  prompt: Prompt,
  { script, thinks, cachedShare, tokenizer }: Planned,
): SimulatorReply {
  const parts: ReplyPart[] = [{ kind: 'text', pieces: joinPieces(tokenizer.pieces(script.output)) }];
  if (thinks)
    parts.unshift({
      kind: 'thinking',
      pieces: joinPieces(tokenizer.pieces(script.reasoning)),
      signature: signThinking(script.reasoning),
    });
  const choice = limitChoice({ parts, stop: 'end' }, prompt, tokenizer);
  const choices: SimulatorChoice[] = Array(prompt.count).fill(choice);
  const input = prefixesOf(prompt, tokenizer).at(-1)!.tokens;
  const sum = (some: readonly ReplyPart[]) =>
    some.reduce((total, part) => total + tokensOf(part), 0) * prompt.count;
  return {
    choices,
    usage: {
      input,
      cacheRead: Math.floor(input * cachedShare),
      cacheWrite: Math.floor(input * WRITTEN_SHARE),
      cacheLifetime: '5m',
      output: sum(choice.parts),
      thinking: sum(choice.parts.filter(({ kind }) => kind === 'thinking')),
    },
  };
}

function joinPieces(pieces: readonly TokenRun[]): TokenRun[] {
  const made: TokenRun[] = [];
  for (const { text, tokens } of pieces) {
    const last = made.at(-1);
    if (last && last.tokens < TOKENS_PER_PIECE)
      made[made.length - 1] = { text: last.text + text, tokens: last.tokens + tokens };
    else made.push({ text, tokens });
  }
  return made;
}
