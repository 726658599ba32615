/**
 * Matches the gateway's own item ids. An id names its response; after `in` comes the item's place in the
 * listed input.
 */
export const OWN_ITEM_ID = /^[a-z]+_([0-9A-Za-z]{29})_(in)?(\d{1,9})$/;
