/**
 * What stands where a vendor asks for a turn of the user's and there is none, or none that says anything: some protocols take such a
 * conversation, so that no client can tell that its model's provider does not.
 */
export const STAND_IN = '…';
