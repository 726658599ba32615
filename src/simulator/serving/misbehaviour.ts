/** The faults of an answer. `parse-misbehaviour.ts` says what each does. */
export type Misbehaviour = {
  status?: number;
  retryAfter?: string;
  delayMs?: number;
  stallAfter?: number;
  cutAfter?: number;
  malformedAfter?: number;
  errorAfter?: number;
  errorStatus?: number;
  contentType?: string;
  dripMs?: number;
  dripBytes?: number;
  tokensPerSecond?: number;
  splitUtf8?: boolean;
  usage?: 'none';
  compactAt?: number;
  callTools?: boolean;
  echoModel?: string;
  failTimes?: number;
  every?: number;
};
