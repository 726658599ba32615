import { errorEnvelope } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { styleOfPath } from '../../base/errors/style-of-path.ts';
import { formatFrame } from '../framing/format-frame.ts';
import { InteractionEvents } from './interactions/interaction-events.ts';

const INTERACTIONS = /^\/v1(?:beta)?\/interactions$/;

/** Returns the error that ends a stream of a path after this many frames. */
export function errorFrame(path: string, refusal: Refusal, frames: number): string {
  if (INTERACTIONS.test(path)) return formatFrame(new InteractionEvents(frames).error(refusal));
  if (path.startsWith('/v1/responses')) {
    const { code, message } = refusal;
    const event = { type: 'error', code, message, param: null, sequence_number: frames };
    return formatFrame({ event: 'error', data: JSON.stringify(event) });
  }
  const style = styleOfPath(path);
  const data = JSON.stringify(errorEnvelope(style, refusal));
  return formatFrame(style === 'messages' ? { event: 'error', data } : { data });
}
