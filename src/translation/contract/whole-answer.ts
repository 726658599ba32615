import type { Usage } from '../canonical/usage.ts';
import type { FinishedAnswer } from './finished-answer.ts';

/** `contentType`: the type of an answer that is not JSON. */
export type WholeAnswer = { text: string; usage: Usage; answer?: FinishedAnswer; contentType?: string };
