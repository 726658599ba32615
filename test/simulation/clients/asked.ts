import type { AccountName } from '../gateway/accounts.ts';
import { BRAND, type ModelName } from '../gateway/configuration.ts';
import type { CallRecord } from '../network/call.ts';
import type { Usage } from '../vendors/vendor-answer.ts';

export type Dialect = 'chat' | 'messages' | 'responses';

/** A request for an answer, with all that the clients and the network know about it. */
export type Asked = {
  /** The name of the request in its prompt and in its answer. */
  readonly marker: string;
  readonly account: AccountName;
  readonly model: ModelName;
  readonly dialect: Dialect;
  readonly isStream: boolean;
  /** True if the request sets no ceiling, so that it can use all credit that is left. */
  readonly isOpen: boolean;
  /** True if the prompt has hundreds of tokens. */
  readonly isLong: boolean;
  /** True if the client asked to store the response. */
  readonly isStored: boolean;
  /** True if the stream can be read again. */
  readonly isResumable: boolean;
  readonly idempotencyKey: string | undefined;
  /** The id of the conversation that the request continues. */
  readonly conversation: string | undefined;
  readonly record: CallRecord;
};

const endings: Record<Dialect, RegExp> = {
  chat: /^data: \[DONE\]$/m,
  messages: /^event: message_stop$/m,
  responses: /^event: response\.(completed|incomplete)$/m,
};

/** Reports whether the text of a stream has its end. */
export const hasEnd = ({ dialect }: Pick<Asked, 'dialect'>, text: string): boolean =>
  endings[dialect].test(text);

/** Reports whether the text has everything that the dialect promises, up to its end. */
export const isWholeAnswer = ({ dialect, isStream, record }: Asked, text: string): boolean =>
  record.status === 200 &&
  (isStream ? hasEnd({ dialect }, text) : record.handedWholeAt !== undefined && text === record.handed);

/** Reports whether the gateway has given the last byte of a whole answer to the connection. */
export const isAnswered = (asked: Asked): boolean => isWholeAnswer(asked, asked.record.handed);

/** The header that names the earlier request. */
const REPLAY_HEADER = `x-${BRAND}-replay-of`;

/** Returns the id of the request whose answer this one got again. */
export const replayedIdOf = ({ record }: Asked): string | undefined =>
  record.headers?.get(REPLAY_HEADER) ?? undefined;

/** Returns the id that the gateway gave the request. */
export const requestIdOf = ({ record }: Asked): string | undefined =>
  record.headers?.get('x-request-id') ?? record.headers?.get('request-id') ?? undefined;

/** Returns the model that has answered. Undefined if no head came. */
export const servedModelOf = ({ model, record }: Asked): string | undefined =>
  record.headers && (record.headers.get(`x-${BRAND}-served-by`) ?? model);

/** Returns the code of a refusal by a limit. */
export const refusalCodeOf = (one: Asked): string | undefined =>
  one.record.status === 429 ? refusalOf(one) : undefined;

/** Returns the code of a refusal. */
export const refusalOf = ({ record }: Asked): string | undefined =>
  record.headers?.get(`x-${BRAND}-error-code`) ?? undefined;

/** Returns the tokens that an answer shows. The last report of a stream is the final one. */
export function shownUsageOf(text: string): Usage | undefined {
  const last = (name: string): number | undefined => {
    const found = [...text.matchAll(new RegExp(`"${name}": ?(\\d+)`, 'g'))].at(-1);
    return found && Number(found[1]);
  };
  const input = last('(?:prompt|input)_tokens');
  const output = last('(?:completion|output)_tokens');
  if (input === undefined || output === undefined) return undefined;
  // The input of Anthropic's form leaves out what was read from a cache.
  const beside = last('cache_read_input_tokens') ?? 0;
  return { input: input + beside, cached: last('cached_tokens') ?? beside, output };
}

/** Returns the id of a response in an answer of `/v1/responses`. */
export const responseIdOf = ({ record }: Asked): string | undefined =>
  /"id": ?"(resp_[A-Za-z0-9]+)"/.exec(record.handed)?.[1];

/** Returns the id and the number of the last complete frame of a stream that can be read again. */
export function lastFrameOf(text: string): { id: string; number: number } | undefined {
  const complete = text.slice(0, text.lastIndexOf('\n\n') + 1);
  const id = [...complete.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  return id === undefined ? undefined : { id, number: Number(/\d+$/.exec(id)?.[0]) };
}
