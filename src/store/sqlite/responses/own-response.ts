/** The condition of a response that a key owns, which has not expired. */
export const OWN = 'response.id = $id AND response.key_id = $keyId AND response.expires_at > $now';

/** The response of a key with its turn. */
export const OWN_TURN = `FROM response JOIN turn ON turn.id = response.id WHERE ${OWN}`;
