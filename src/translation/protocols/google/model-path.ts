import type { EncodeTarget } from '../../contract/encode-target.ts';

/** Model names with one of these prefixes are complete paths. */
const FULL_PATH = /^(models|tunedModels|publishers|projects)\//;

/** Returns the path of a call, which names the model and the method. */
export function modelPath({ stream }: { stream: boolean }, { upstreamModel }: EncodeTarget): string {
  const model = FULL_PATH.test(upstreamModel)
    ? upstreamModel.split('/').map(encodeURIComponent).join('/')
    : `models/${encodeURIComponent(upstreamModel)}`;
  return `/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}
