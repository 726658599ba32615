/** Every identifier that contains the operator's brand. */
export type Names = {
  brand: string;
  keyPrefix: string;
  openWeightPrefix: string;
  olderSpellingPrefix: string;
  /** The field of a model entry that holds `access`. */
  extension: string;
  header: {
    requestId: string;
    errorCode: string;
    paymentMode: string;
    monthlyUsedPercent: string;
    servedBy: string;
    model: string;
    queueMs: string;
    translationLosses: string;
    strict: string;
    /** The header with the tags that the client counts a request for. */
    tags: string;
    simulated: string;
    /** The request whose answer a retry got. */
    replayOf: string;
    /** `true` or `false`: the stream of a request can be read again. */
    resumable: string;
    /** The signature of an alert. */
    signature: string;
  };
};

export const namesOf = (brand: string): Names => ({
  brand,
  keyPrefix: `${brand}_`,
  openWeightPrefix: `@${brand}/`,
  olderSpellingPrefix: `${brand}-`,
  extension: brand,
  header: {
    requestId: `x-${brand}-request-id`,
    errorCode: `x-${brand}-error-code`,
    paymentMode: `x-${brand}-payment-mode`,
    monthlyUsedPercent: `x-${brand}-monthly-used-percent`,
    servedBy: `x-${brand}-served-by`,
    model: `${brand}-model`,
    queueMs: `x-${brand}-queue-ms`,
    translationLosses: `x-${brand}-translation-losses`,
    strict: `x-${brand}-strict`,
    tags: `x-${brand}-tags`,
    simulated: `x-${brand}-simulated`,
    replayOf: `x-${brand}-replay-of`,
    resumable: `x-${brand}-resumable`,
    signature: `x-${brand}-signature`,
  },
});
