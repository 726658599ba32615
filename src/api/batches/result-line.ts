import { errorEnvelope } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { ResultRow } from './batch.ts';
import type { Collection } from './collection.ts';

const LINE_BREAKS = /[\r\n]+/g;

/** `result` is JSON text. A line has no break in it: in valid JSON they stand between its tokens only. */
const lineOf = (customId: string, result: string): string =>
  `{"custom_id":${JSON.stringify(customId)},"result":${result.replace(LINE_BREAKS, ' ')}}\n`;

/** The line of an item that was answered, with the answer's own text. */
export const succeededLine = (customId: string, { answerField }: Collection, answer: string): string =>
  lineOf(customId, `{"type":"succeeded","${answerField}":${answer}}`);

/** The line of an item that got an error in place of an answer. */
export const erroredLine = (customId: string, { style }: Collection, refusal: Refusal): string =>
  lineOf(customId, JSON.stringify({ type: 'errored', error: errorEnvelope(style, refusal) }));

/** As it was kept, or what those say that were never answered. */
export const lineOfRow = ({ customId, result, line }: ResultRow): string =>
  line ?? lineOf(customId, `{"type":"${result}"}`);
