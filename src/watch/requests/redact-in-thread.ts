import { type RedactionRule, redactContent } from './redact-content.ts';

/** The program of a thread that redacts content. */
declare const self: Worker;

export type RedactionOrder = { texts: readonly string[]; rules: readonly RedactionRule[] };
export type RedactionReply = { texts: string[] } | { failed: string };

self.onmessage = ({ data }: MessageEvent<RedactionOrder>) => {
  let reply: RedactionReply;
  try {
    reply = { texts: data.texts.map((text) => redactContent(text, data.rules)) };
  } catch (error) {
    reply = { failed: String(error) };
  }
  self.postMessage(reply);
};
