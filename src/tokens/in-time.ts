/** What a promise comes to, or undefined where that takes longer. */
export function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    timer.unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
