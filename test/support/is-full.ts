/** True in a full run, which checks each page of the dashboard in each form, and more inputs. */
export const isFull = process.env.TOLLGATE_TEST_FULL === '1';
