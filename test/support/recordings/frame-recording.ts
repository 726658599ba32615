import { AWS_FRAMING } from '../../../src/simulator/model/aws-framing.ts';
import type { Recording } from './recording.ts';

/** Equivalent ways to write a stream's lines. */
export type SseStyle = { lineEnd: string; comments: boolean; space: string };

const PLAIN_SSE: SseStyle = { lineEnd: '\n', comments: false, space: ' ' };

/** Returns a recorded stream in its vendor's form. */
export function streamBytes(
  { wire, lines }: Recording,
  style: SseStyle = PLAIN_SSE,
): Uint8Array<ArrayBuffer> {
  if (wire === 'bedrock-converse') return awsBytes(lines);
  const isNamed = wire === 'anthropic-messages';
  const { lineEnd, comments, space } = style;
  const events = (wire === 'openai-chat' ? [...lines, '[DONE]'] : lines).map((data) => {
    const event = isNamed ? `event:${space}${JSON.parse(data).type}${lineEnd}` : '';
    const comment = comments ? `: a comment 🙂${lineEnd}id:${space}7${lineEnd}` : '';
    return `${comment}${event}data:${space}${data}${lineEnd}${lineEnd}`;
  });
  return new TextEncoder().encode(events.join(''));
}

function awsBytes(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const messages = lines.map((line) => {
    const [[name, payload]] = Object.entries(JSON.parse(line)) as [[string, unknown]];
    return AWS_FRAMING.encode({ name, data: JSON.stringify(payload), tokens: 0 });
  });
  return new Uint8Array(Buffer.concat(messages));
}
