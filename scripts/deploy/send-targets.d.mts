export declare function sendTargets(
  spellings: readonly string[],
  place: {
    port: number;
    host: string;
    parallel?: number;
    authority?: Buffer;
    headers?: Record<string, string>;
  },
): Promise<number[]>;
