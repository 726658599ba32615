/** True in a full run, which has every file, and each page of the dashboard in each form. */
export const isFull = process.env.TOLLGATE_TEST_FULL === '1';
