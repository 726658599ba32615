/**
 * The samplers of OTEL_TRACES_SAMPLER. `parent`: the caller's flag takes precedence. `ratio`:
 * OTEL_TRACES_SAMPLER_ARG sets the share.
 */
export const otelSamplers = {
  always_on: { parent: false, share: 1 },
  always_off: { parent: false, share: 0 },
  traceidratio: { parent: false, share: 'ratio' },
  parentbased_always_on: { parent: true, share: 1 },
  parentbased_always_off: { parent: true, share: 0 },
  parentbased_traceidratio: { parent: true, share: 'ratio' },
} as const satisfies Record<string, { parent: boolean; share: number | 'ratio' }>;

export const isSampler = (text: string): text is keyof typeof otelSamplers =>
  Object.hasOwn(otelSamplers, text);
