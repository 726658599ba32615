import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import { streamHeaders } from '../../inference/reply/stream-headers.ts';
import { answerId } from '../../inference/request/answer-id.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { formatFrame } from '../../translation/framing/format-frame.ts';
import { blockedAnswer } from '../../translation/protocols/google/blocked-prompt.ts';
import { modelName } from '../../translation/protocols/google/model-name.ts';

type BlockedRequest = { exchange: Exchange; dialect: Dialect; stream: boolean };

/**
 * Answers a prompt that a vendor has blocked as Google does: with the reason, and without candidates. Such an
 * answer costs nothing.
 */
export function answerBlocked(
  answer: Reply | Refusal,
  { exchange, dialect, stream }: BlockedRequest,
): Reply | Refusal {
  if (!(answer instanceof Refusal)) return answer;
  const names = {
    responseId: answerId(exchange, dialect),
    modelVersion: modelName(exchange.params['id']!),
  };
  const blocked = blockedAnswer(answer, names);
  if (blocked === undefined) return answer;
  noteRefusal(exchange.notes, answer);
  if (!stream) return jsonReply(200, blocked);
  const frame = formatFrame({ data: JSON.stringify(blocked) });
  return {
    status: 200,
    headers: streamHeaders,
    body: async (writer) => {
      await writer.write(frame);
    },
  };
}
