/** Encrypted thinking is the thinking's text in base64, encrypted. */
const CHARACTERS_PER_TOKEN = 6;

/** Estimates the tokens of encrypted thinking. */
export const encryptedTokens = (data: string): number => Math.ceil(data.length / CHARACTERS_PER_TOKEN);
