export declare function findTestFiles(
  root: string,
  texts: readonly string[],
  run: { isFull: boolean },
): string[];
