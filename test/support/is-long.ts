/** Whether this is the long run, in which tests that draw their inputs try a hundred times as many. */
export const isLong = process.env.TOLLGATE_TEST_LONG === '1';
