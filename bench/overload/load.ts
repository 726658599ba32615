/** The upstreams of a benchmark, which determine the capacity. */
export type Load<Model extends string> = {
  /** The number of upstreams of each model. */
  models: Readonly<Record<Model, number>>;
  /** The number of requests that each upstream answers at the same time. */
  slots: number;
  /** The mean time of an answer. */
  thinkingMs: number;
  queueWaitSeconds: number;
};

/** Returns the capacity of a model in answers per second. */
export const capacityOf = <Model extends string>(
  { models, slots, thinkingMs }: Load<Model>,
  model: Model,
): number => (models[model] * slots * 1_000) / thinkingMs;
