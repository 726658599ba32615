/** The content of a request that was kept, redacted. */
export type Payload = {
  requestId: string;
  accountId: string;
  /** Milliseconds; the end of the request. */
  at: number;
  /** JSON of `PayloadContent`. */
  content: string;
};

/** `withheld`: the redaction failed, so nothing is kept. */
export type PayloadContent = {
  request: string;
  answer: string;
  isRequestCut: boolean;
  isAnswerCut: boolean;
  withheld?: 'redaction_timeout' | 'redaction_failed';
};

/** Keeps the content of requests of the accounts for which the operator has turned it on. */
export interface PayloadStore {
  /** Returns the accounts whose content is kept. */
  payloadAccounts(): Promise<string[]>;
  setPayloadLogging(accountId: string, isOn: boolean): Promise<void>;
  /**
   * Adds content. If an account then has more than `mostEach` contents, the same write removes the oldest.
   */
  addPayloads(payloads: readonly Payload[], mostEach: number): Promise<void>;
  findPayload(accountId: string, requestId: string): Promise<Payload | undefined>;
  /** Removes all content of an account, and returns how much it removed. */
  deletePayloads(accountId: string): Promise<number>;
  /** Removes up to `limit` contents from before a time, and returns how many it removed. */
  sweepPayloads(options: { before: number; limit: number }): Promise<number>;
}
