/** Returns a sentence as the message of a finding. Its remedy can follow, so the full stop goes. */
export const asMessage = (sentence: string): string => sentence.replace(/\.$/, '');

/** Returns a sentence as the remedy of a finding, which follows a colon. */
export const asRemedy = (sentence: string): string =>
  asMessage(sentence).replace(/^./, (letter) => letter.toLowerCase());
