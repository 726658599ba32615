/** The condition for an unexpired response of the key. */
export const IS_OWN_RESPONSE =
  'response.id = $id AND response.key_id = $keyId AND response.expires_at > $now';

/** The response of the key with its turn. */
export const FROM_OWN_TURN = `FROM response JOIN turn ON turn.id = response.id WHERE ${IS_OWN_RESPONSE}`;
