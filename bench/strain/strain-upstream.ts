import { lookUp } from '../../src/base/lib/records.ts';
import { chatAnswers } from './answers/chat-answers.ts';
import { largeAnswer } from './answers/large-answer.ts';
import { messagesAnswers } from './answers/messages-answers.ts';
import { responsesAnswers } from './answers/responses-answers.ts';
import type { WireAnswers } from './answers/wire-answers.ts';
import { listenOnPortOf } from './listen-on-port-of.ts';
import { type StrainAnswer, type StrainWire, strainModels } from './strain-models.ts';

// An upstream with large answers, in a separate process. Each model has a base address on each wire, such as
// `/chat/whole-60`, so that the upstream does not parse huge bodies.

const answersOn: Readonly<Record<StrainWire, WireAnswers>> = {
  chat: chatAnswers,
  messages: messagesAnswers,
  responses: responsesAnswers,
};

listenOnPortOf('UPSTREAM_PORT', async (request) => {
  await request.arrayBuffer();
  const [, wire, model] = new URL(request.url).pathname.split('/');
  const answers = lookUp(answersOn, wire);
  const answer = lookUp<StrainAnswer>(strainModels, model);
  if (answers === undefined || answer === undefined) return new Response('no such model', { status: 404 });
  await Bun.sleep(answer.thinkingMs ?? 0);
  return largeAnswer(answers, answer);
});
