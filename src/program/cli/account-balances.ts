/** The balances of an account: the credits of its plan, and credit that never expires. */
export const balances = ['monthly', 'purchased'] as const;
