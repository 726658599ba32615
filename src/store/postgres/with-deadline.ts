import { StoreProblem } from '../store-problem.ts';

/** Rejects if a statement is not answered in time. The database may execute it nevertheless. */
export function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(noAnswer(milliseconds)), milliseconds);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

const noAnswer = (milliseconds: number): StoreProblem =>
  new StoreProblem(
    `Postgres has not answered within ${milliseconds} ms`,
    'check the database server and the network to it',
  );
