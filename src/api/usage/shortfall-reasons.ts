import type { Bound } from '../../money/ledger/shortfall.ts';

/** The reasons for a charge below its list cost: a name for programs and a sentence for people. */
export const shortfallReasons: Record<
  Bound,
  { name: 'purchased_balance' | 'key_cap' | 'budget'; sentence: string }
> = {
  'purchased-balance': {
    name: 'purchased_balance',
    sentence: 'The purchased balance did not cover the list cost, and the rest is not charged.',
  },
  'key-cap': {
    name: 'key_cap',
    sentence: "The key's monthly cap did not cover the list cost, and the rest is not charged.",
  },
  budget: {
    name: 'budget',
    sentence: 'A budget did not cover the list cost, and the rest is not charged.',
  },
};
