/** True if this is the long run, in which randomized tests use a hundred times as many inputs. */
export const isLong = process.env.TOLLGATE_TEST_LONG === '1';
