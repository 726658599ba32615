import { catalogue, type ErrorCode } from './catalogue.ts';

export type RefusalDetails = {
  message?: string;
  /** Path of the field at fault, like `messages[2].content`. */
  param?: string | null;
  /** A text of the client's that is at fault, where its path is not known. */
  said?: string;
  retryAfterMs?: number;
  /** Further fields of the error object, where the contract has them. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For the log only; nothing of it reaches a client. */
  cause?: unknown;
};

/** An expected failure, as a value: returned where it is decided, and given an envelope at the edge. */
export class Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    this.code = code;
    this.message = details.message ?? catalogue[code].message;
    this.param = details.param ?? null;
    this.details = details;
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/** What the upstream does not take, whichever of its words it says that in. */
export const refusedAsInvalid = (cause?: unknown): Refusal =>
  new Refusal('invalid_request', { message: 'The model refused the request as invalid.', cause });

/** Whether the request itself is at fault, and not the upstream or the gateway. */
export const isOwnError = ({ status }: Refusal): boolean => status < 500;
