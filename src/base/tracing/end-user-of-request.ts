import type { HeaderReader } from '../lib/header-reader.ts';
import { redactText } from '../lib/redact-text.ts';
import { bodyUser, headerUser } from './read-end-user.ts';

const MAX_SHOWN = 200;

/** Returns an end user in the form that records, sums and budgets keep. */
const endUserText = (named: string | undefined): string | null =>
  named === undefined ? null : redactText(named).slice(0, MAX_SHOWN).replace(/\p{C}/gu, '\ufffd') || null;

/** Returns the end user that the headers name. */
export const endUserOfHeaders = (headers: HeaderReader): string | null => endUserText(headerUser(headers));

/** Returns the end user that a request names, or null. */
export const endUserOfRequest = (
  headers: HeaderReader,
  body: Readonly<Record<string, unknown>>,
): string | null => endUserText(headerUser(headers) ?? bodyUser(body));
