import { errorEnvelope } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { ResultRow } from './batch.ts';
import type { Collection } from './collection.ts';

const LINE_BREAKS = /[\r\n]+/g;

/**
 * Formats a result line from JSON text. Line breaks become spaces; in valid JSON they only occur between
 * tokens.
 */
const lineOf = (customId: string, result: string): string =>
  `{"custom_id":${JSON.stringify(customId)},"result":${result.replace(LINE_BREAKS, ' ')}}\n`;

/**
 * The line of an answered item, with the answer as received. `simulated` takes the place of the header of a
 * single answer.
 */
export const succeededLine = (
  customId: string,
  { answerField }: Collection,
  { text, isSimulated }: { text: string; isSimulated: boolean },
): string =>
  lineOf(customId, `{"type":"succeeded",${isSimulated ? '"simulated":true,' : ''}"${answerField}":${text}}`);

/** Returns the line of an item that ended with an error. */
export const erroredLine = (customId: string, { style }: Collection, refusal: Refusal): string =>
  lineOf(customId, JSON.stringify({ type: 'errored', error: errorEnvelope(style, refusal) }));

/** The stored line, or the line of an item that was canceled or has expired. */
export const lineOfRow = ({ customId, result, line }: ResultRow): string =>
  line ?? lineOf(customId, `{"type":"${result}"}`);
