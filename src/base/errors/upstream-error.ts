/**
 * An upstream's error in its own words, for operators only. A member that the upstream did not send is null.
 */
export type UpstreamError = {
  /** The status of the answer, or the one that the error names. */
  status: number | null;
  type: string | null;
  code: string | null;
  message: string | null;
  /** The upstream's id of the request. */
  requestId: string | null;
  /** The field at fault, by its name in the upstream's protocol. */
  param: string | null;
};
