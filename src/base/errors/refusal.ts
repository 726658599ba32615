import { asSentence } from '../lib/as-sentence.ts';
import { catalogue, type ErrorCode } from './catalogue.ts';
import type { PromptLengths } from './prompt-lengths.ts';
import type { RefusalFacts } from './refusal-facts.ts';
import type { RefusalReason } from './refusal-reason.ts';

export type RefusalDetails = {
  message?: string;
  /** Clients parse this message in a vendor's exact words, which have no full stop. */
  isVerbatim?: boolean;
  /** The path of the invalid field, like `messages[2].content`. */
  param?: string | null;
  /** The client's text that caused the refusal, if its path is not known. */
  quote?: string;
  retryAfterMs?: number;
  /** Further fields of the error object that the contract defines. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The lengths of a prompt that is too long, as the upstream named them. */
  promptLengths?: PromptLengths | undefined;
  /** The vendor's report on a blocked prompt, for the dialect that answers such prompts. */
  blocked?: Record<string, unknown>;
  /** The facts of the refusal, for the record of the request only. */
  facts?: RefusalFacts;
  /** The resource that this server lacked, for operators only. */
  reason?: RefusalReason;
  /** The cause, for the log only. It never reaches a client. */
  cause?: unknown;
};

/**
 * An expected failure, as a value. The code that detects it returns it, and the edge puts it in an envelope.
 */
export class Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    this.code = code;
    const message = details.message ?? catalogue[code].message;
    this.message = details.isVerbatim ? message : asSentence(message);
    this.param = details.param ?? null;
    this.details = details;
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/**
 * Returns the refusal for a request that the upstream rejects as invalid. The upstream's own wording is not
 * shown.
 */
export const refusedAsInvalid = (cause?: unknown): Refusal =>
  new Refusal('invalid_request', { message: 'The model refused the request as invalid.', cause });

/** Reports whether the request itself is at fault, and not the upstream or the gateway. */
export const isOwnError = ({ status }: Refusal): boolean => status < 500;
